/**
 * Handles literal braces in Word files. As in every text with fields, `{{` is a literal opening brace, and the next `}`
 * that closes no field is a literal closing brace. While the library looks for fields, characters that occur in no text
 * replace these braces.
 */
import type { Tag, XmlNode } from 'easy-template-x'
import { detachControls } from './word-controls'
import type { loadWordLibrary } from './word-lines'

const opening = '\ufdd0'
const closing = '\ufdd1'

/** The text as it is in the file, for a sentence about this text. */
export const asWritten = (text: string) => text.replaceAll(opening, '{{').replaceAll(closing, '}')

/** The text with the literal braces that it stands for. */
export const asMeant = (text: string) => text.replaceAll(opening, '{').replaceAll(closing, '}')

type Library = Awaited<ReturnType<typeof loadWordLibrary>>
type ExtensionOptions = NonNullable<NonNullable<ConstructorParameters<Library['TemplateHandler']>[0]>['extensions']>
type Execute = InstanceType<Library['TemplateExtension']>['execute']

interface BraceExtensions {
  /**
   * The extensions that prepare a part before the library fills it in, and show its literal braces again afterwards.
   */
  readonly extensions: Pick<ExtensionOptions, 'beforeCompilation' | 'afterCompilation'>
  /** Finds the fields of a part. `hideBraces` must have replaced the literal braces of this part before. */
  tagsOf(root: XmlNode): Tag[]
}

export function braceExtensions({ TemplateExtension, xml }: Library): BraceExtensions {
  class Hiding extends TemplateExtension {
    execute: Execute = async (_data, { currentPart }) => {
      const root = await currentPart.xmlRoot()
      hideBraces(root)
      detachControls(root, (node) => xml.modify.remove(node))
    }
    tagsOf(root: XmlNode): Tag[] {
      return this.utilities.compiler.parseTags(root)
    }
  }
  class Showing extends TemplateExtension {
    execute: Execute = async (_data, { currentPart }) => {
      const root = await currentPart.xmlRoot()
      for (const node of textNodesIn(root)) node.textContent = asMeant(node.textContent)
      changeDescriptions(root, asMeant)
    }
  }
  const hiding = new Hiding()
  const extensions = { beforeCompilation: [hiding], afterCompilation: [new Showing()] }
  return { extensions, tagsOf: (root: XmlNode) => hiding.tagsOf(root) }
}

type TextNode = Extract<XmlNode, { readonly textContent: string }>

/**
 * Replaces the literal braces in the text nodes of this part, and all braces in descriptions of pictures, in which some
 * programs keep data.
 */
export function hideBraces(root: XmlNode): void {
  hideInText(root)
  changeDescriptions(root, (text) => text.replaceAll('{', opening).replaceAll('}', closing))
}

function hideInText(root: XmlNode): void {
  if (isParagraph(root)) hideIn(piecesOf(root))
  for (const child of root.childNodes ?? []) hideInText(child)
}

function changeDescriptions(node: XmlNode, change: (text: string) => string): void {
  const { attributes } = node as { attributes?: Record<string, string> }
  if (attributes?.descr) attributes.descr = change(attributes.descr)
  for (const child of node.childNodes ?? []) changeDescriptions(child, change)
}

const isParagraph = ({ nodeName }: XmlNode) => nodeName.endsWith(':p')

/**
 * The text nodes of one paragraph in order, with a line break wherever the document has one, because a field ends
 * there.
 */
function piecesOf(node: XmlNode): (TextNode | '\n')[] {
  return (node.childNodes ?? []).flatMap((child) => {
    if (isParagraph(child)) return []
    if (child.nodeName === 'w:br' || child.nodeName === 'w:cr') return ['\n' as const]
    return child.nodeName.endsWith(':t') ? (child.childNodes ?? []).filter(isText) : piecesOf(child)
  })
}

const isText = (node: XmlNode): node is TextNode => 'textContent' in node

function textNodesIn(node: XmlNode): TextNode[] {
  return isText(node) ? [node] : (node.childNodes ?? []).flatMap(textNodesIn)
}

function hideIn(pieces: readonly (TextNode | '\n')[]): void {
  const text = pieces.map((piece) => (piece === '\n' ? piece : piece.textContent)).join('')
  if (!text.includes('{{')) return
  const hidden = hiddenIn(text)
  let at = 0
  for (const piece of pieces) {
    const length = piece === '\n' ? 1 : piece.textContent.length
    if (piece !== '\n') piece.textContent = hidden.slice(at, at + length).join('')
    at += length
  }
}

/**
 * The characters of the text with its braces hidden. Of `{{`, the first character is replaced and the second one
 * becomes empty, so that all positions stay the same.
 */
function hiddenIn(text: string): string[] {
  const characters = text.split('')
  let open = 0
  for (const { 0: found, index } of text.matchAll(/\{\{|\{[^{}\n]*\}|\}/g)) {
    if (found === '{{') {
      open++
      characters.splice(index, 2, opening, '')
    } else if (found === '}' && open > 0) {
      open--
      characters[index] = closing
    }
  }
  return characters
}
