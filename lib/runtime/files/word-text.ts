/** Reads the text of a Word file's parts, and finds mistakes such as fields that are divided over several pieces. */
import type { XmlNode } from 'easy-template-x'
import type { FileProblem } from './file-problem'
import { maxNamed } from './other-text'
import { asWritten } from './word-braces'

/** The text of a part, one line per paragraph. */
export function linesOf(node: XmlNode): string {
  // The names that begin with a: are those in drawings.
  if (/^[wa]:t$/.test(node.nodeName)) return (node.childNodes ?? []).map(textOfNode).join('')
  if (/^(?:[wa]:br|w:cr)$/.test(node.nodeName)) return '\n'
  if (node.nodeName === 'w:tab') return '\t'
  return /^[wa]:p$/.test(node.nodeName) ? `${inside(node)}\n` : inside(node)
}

const inside = ({ childNodes = [] }: XmlNode) => childNodes.map(linesOf).join('')
const textOfNode = (node: XmlNode) => ('textContent' in node ? node.textContent : '')

/**
 * Finds a field in double braces, such as `{{Name}}`. Returns it as it is in the text, and with single braces. Other
 * programs write their fields with double braces, but here `{{` is a literal brace.
 */
export function doubledIn(text: string): { readonly text: string; readonly field: string } | undefined {
  for (const [found, before = '', name = '', after = ''] of text.matchAll(/(\{+)([^{}\n]{1,100})(\}+)/g)) {
    if (before.length > 1 && before.length === after.length) return { text: found, field: `{${name.trim()}}` }
  }
  return undefined
}

/** The first mistake in the text of a part. `hideBraces` must have replaced the literal braces before. */
export function mistakeIn(text: string): FileProblem | undefined {
  const unclosed = unclosedIn(text)
  if (unclosed !== undefined) return { key: 'wordUnclosed', params: { text: asWritten(unclosed) } }
  const unopened = unopenedIn(text)
  if (unopened !== undefined) return { key: 'wordUnopened', params: { text: asWritten(unopened) } }
  const [nameless] = /\{\s*#?\s*\}/.exec(text) ?? []
  return nameless === undefined ? undefined : { key: 'wordNameless', params: { tag: nameless } }
}

/** The text after a brace that is not closed in its paragraph. The library treats such a brace as plain text. */
function unclosedIn(text: string): string | undefined {
  return /\{[^{}\n]*(?=[{\n]|$)/.exec(text)?.[0].slice(0, maxNamed)
}

/** The line up to a closing brace that has no opening brace; undefined if there is no such brace. */
function unopenedIn(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const at = line.replace(/\{[^{}]*\}/g, (field) => ' '.repeat(field.length)).indexOf('}')
    if (at >= 0)
      return line
        .slice(0, at + 1)
        .trim()
        .slice(-maxNamed)
  }
  return undefined
}

/**
 * A piece of a paragraph's text. `place` is the element around the run of this piece, such as a tracked change or a
 * link.
 */
interface Piece {
  readonly text: string
  readonly place: XmlNode
}

/**
 * Finds a field that is partly in a tracked change or a link, or contains a special character. The library would fill
 * in only a part of this field and leave the rest of its name in the text.
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

/** Characters that a Word file stores as separate elements. */
const special: Readonly<Record<string, string>> = { 'w:tab': '\t', 'w:noBreakHyphen': '-', 'w:sym': '?' }

/** The pieces of one paragraph, without the pieces of a paragraph inside it, such as in a text box. */
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
  // The fields come in order, so no piece is looked at twice.
  let at = 0
  let from = 0
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
