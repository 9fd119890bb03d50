/** Reads the text of a Word file's parts, and finds fields that are not in one piece. */
import type { XmlNode } from 'easy-template-x'

/** The text of a part, one line per paragraph. */
export function linesOf(node: XmlNode): string {
  if (node.nodeName === 'w:t') return (node.childNodes ?? []).map(textOfNode).join('')
  if (node.nodeName === 'w:br' || node.nodeName === 'w:cr') return '\n'
  if (node.nodeName === 'w:tab') return '\t'
  return node.nodeName === 'w:p' ? `${inside(node)}\n` : inside(node)
}

const inside = ({ childNodes = [] }: XmlNode) => childNodes.map(linesOf).join('')
const textOfNode = (node: XmlNode) => ('textContent' in node ? node.textContent : '')

/** A field with two braces at its beginning, such as `{{Name}}`, as it stands in the text and with one brace. */
export function doubledIn(text: string): { readonly text: string; readonly field: string } | undefined {
  const [found, name = ''] = /\{{2,}([^{}\n]{1,100})\}*/.exec(text) ?? []
  return found === undefined ? undefined : { text: found, field: `{${name.trim()}}` }
}

/** A piece of a paragraph, and the element that contains its run, such as a tracked change or a link. */
interface Piece {
  readonly text: string
  readonly place: XmlNode
}

/**
 * A field that is partly in a tracked change or a link, or contains a special character: the library would fill in
 * only a part of it, and leave the rest of its name in the text.
 */
export function dividedFieldIn(node: XmlNode): string | undefined {
  const own = node.nodeName === 'w:p' ? dividedAmong(piecesOf(node, node)) : undefined
  if (own !== undefined) return own
  for (const child of node.childNodes ?? []) {
    const found = dividedFieldIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Characters with an element of their own. */
const special: Readonly<Record<string, string>> = { 'w:tab': '\t', 'w:noBreakHyphen': '-', 'w:sym': '?' }

/** The pieces of one paragraph; those of a paragraph inside it, such as in a text box, are not its own. */
function piecesOf(node: XmlNode, place: XmlNode): Piece[] {
  const children = node.childNodes ?? []
  return children.flatMap((child): Piece[] => {
    if (child.nodeName === 'w:p' || child.nodeName === 'w:tabs') return []
    if (child.nodeName === 'w:r') return piecesOf(child, node)
    if (child.nodeName === 'w:t' || child.nodeName === 'w:br' || child.nodeName === 'w:cr')
      return [{ text: linesOf(child), place }]
    const text = special[child.nodeName]
    return text === undefined ? piecesOf(child, place) : [{ text, place: child }]
  })
}

function dividedAmong(pieces: readonly Piece[]): string | undefined {
  const text = pieces.map((piece) => piece.text).join('')
  // The fields come in order, so each piece is passed once.
  let [at, from] = [0, 0]
  for (const { 0: field, index } of text.matchAll(/\{[^{}\n]*\}/g)) {
    const end = index + field.length
    let place: XmlNode | undefined
    for (let piece = pieces[at]; piece && from < end; piece = pieces[at]) {
      const to = from + piece.text.length
      if (to > index) {
        if (place && place !== piece.place) return field
        place = piece.place
      }
      // The next field may begin in the same piece.
      if (to > end) break
      ;[at, from] = [at + 1, to]
    }
  }
  return undefined
}
