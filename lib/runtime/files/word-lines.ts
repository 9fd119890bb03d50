/**
 * Inserts a value of several lines at the exact place of its field in a Word file. The library itself would put such a
 * value after the whole run.
 */

/** Loads the library. This happens with the first Word file, because loading takes a while. */
export const loadWordLibrary = () => import('easy-template-x')

type Library = Awaited<ReturnType<typeof loadWordLibrary>>
type TextPlugin = InstanceType<Library['TextPlugin']>
type TextNodeTag = Extract<Parameters<TextPlugin['simpleTagReplacements']>[0], { readonly xmlTextNode: unknown }>

/** Replaces the library's own plugin that fills in texts. */
export function linesPlugin(library: Library): TextPlugin {
  const plugin = new library.TextPlugin()
  const oneLine = plugin.simpleTagReplacements.bind(plugin)
  plugin.simpleTagReplacements = (tag, data) => {
    const text = library.stringValue(data.getScopeData())
    if (tag.placement !== library.TagPlacement.TextNode || !text.includes('\n')) return oneLine(tag, data)
    // Text in drawings is in a different kind of element, so the library's own method is used.
    if (!library.officeMarkup.query.containingTextNode(tag.xmlTextNode).nodeName.startsWith('w:'))
      return oneLine(tag, data)
    putLines(library, tag, text.split('\n'))
  }
  return plugin
}

function putLines(
  { officeMarkup, xml }: Library,
  { xmlTextNode }: TextNodeTag,
  [first = '', ...others]: string[],
): void {
  const { create, modify } = xml
  const textElement = officeMarkup.query.containingTextNode(xmlTextNode)
  xmlTextNode.textContent = first
  officeMarkup.modify.setSpacePreserveAttribute(textElement)
  let last = textElement
  for (const line of others) {
    const textNode = create.generalNode('w:t', { attributes: {}, childNodes: [create.textNode(line)] })
    officeMarkup.modify.setSpacePreserveAttribute(textNode)
    for (const node of [create.generalNode('w:br'), textNode]) {
      modify.insertAfter(node, last)
      last = node
    }
  }
}
