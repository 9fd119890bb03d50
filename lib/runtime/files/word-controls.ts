/**
 * Detaches content controls of a Word file from other data of the file, such as its title. When the file is opened or
 * converted, a control that is bound to such data shows the data again, and not the value that was filled in.
 */
import type { XmlNode } from 'easy-template-x'

/** Detaches each control that contains a field. Returns whether `node` contains a field. */
export function detachControls(node: XmlNode, remove: (node: XmlNode) => void): boolean {
  const children = node.childNodes ?? []
  // Every child is looked through, also after a field was found.
  const hasField = children.map((child) => detachControls(child, remove)).includes(true)
  if (node.nodeName === 'w:sdt' && hasField) for (const binding of bindingsOf(node)) remove(binding)
  return hasField || ('textContent' in node && node.textContent.includes('{'))
}

function bindingsOf(control: XmlNode): XmlNode[] {
  const settings = (control.childNodes ?? []).find(({ nodeName }) => nodeName === 'w:sdtPr')
  return (settings?.childNodes ?? []).filter(({ nodeName }) => nodeName.endsWith(':dataBinding'))
}
