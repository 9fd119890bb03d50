/** Word files with fields in braces: which fields there are, and the file with all of them filled in. */
import { createHash } from 'node:crypto'
import type { Tag, TemplateData, XmlNode } from 'easy-template-x'
import type { TextParams } from '../../api/errors/texts'
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { linesPlugin, loadWordLibrary } from './word-lines'
import { markupIn, type ZipLimits } from './zip-parts'
import { withFixedTimes } from './zip-times'

/** A field; one with `inside` repeats what is between `{#name}` and `{/name}` for each item of a list. */
export interface WordField {
  readonly name: string
  readonly inside?: readonly WordField[]
}

/** What is wrong with a file or a value, as a key of the texts (`problems`). */
export interface WordProblem {
  readonly key: string
  readonly params?: TextParams
}

type WordFields = readonly WordField[] | WordProblem

/** The fields of the files read last, by content: a list sends the same file for every row. */
const known = new Map<string, WordFields>()
const maxKnown = 50

/** The fields of a Word file, in their order in the file, each once; or where the file has a mistake. */
export async function fieldsOfWord(bytes: Buffer): Promise<WordFields> {
  const content = createHash('sha256').update(bytes).digest('base64')
  const fields = known.get(content) ?? (await readFields(bytes))
  known.delete(content)
  known.set(content, fields)
  if (known.size > maxKnown) known.delete(known.keys().next().value ?? '')
  return fields
}

async function openLibrary() {
  const library = await loadWordLibrary()
  const others = library.createDefaultPlugins().filter(({ contentType }) => contentType !== library.TEXT_CONTENT_TYPE)
  const handler = new library.TemplateHandler({ plugins: [...others, linesPlugin(library)] })
  const textOf = async (bytes: Buffer, part: string) =>
    (await Promise.all((await handler.getParts(bytes, part)).map((one) => one.xmlRoot()))).map(linesOf).join('')
  return { ...library, handler, textOf }
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Parts of a Word file that are printed and whose fields the library leaves as they are. */
const notFilledIn = [`${relations}/footnotes`, `${relations}/endnotes`]

/** Three hundred pages with many font changes; reading them takes half a gigabyte of memory for a moment. */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 32 * 1024 * 1024, maxTags: 300_000 }

async function readFields(bytes: Buffer): Promise<WordFields> {
  const markup = await markupIn(bytes, limits)
  if (markup === 'tooLarge') return { key: 'wordTooLarge' }
  if (markup === 'unreadable') return { key: 'wordFile' }
  const elsewhere = fieldElsewhere(markup)
  if (elsewhere !== undefined) return { key: 'wordElsewhere', params: { text: elsewhere } }
  const merged = mergeFieldIn(markup)
  if (merged !== undefined) return { key: 'wordMergeField', params: { name: merged, field: `{${merged}}` } }
  const { RelType, handler, textOf } = await openLibrary()
  let all = ''
  try {
    for (const part of [RelType.MainDocument, RelType.Header, RelType.Footer]) {
      const text = await textOf(bytes, part)
      all += text
      const unclosed = unclosedIn(text)
      if (unclosed !== undefined) return { key: 'wordUnclosed', params: { text: unclosed } }
      const unopened = unopenedIn(text)
      if (unopened !== undefined) return { key: 'wordUnopened', params: { text: unopened } }
      const [nameless] = /\{\s*#?\s*\}/.exec(text) ?? []
      if (nameless !== undefined) return { key: 'wordNameless', params: { tag: nameless } }
    }
    for (const part of notFilledIn) {
      const [text] = /\{[^{}\n]+\}/.exec(await textOf(bytes, part)) ?? []
      if (text !== undefined) return { key: 'wordFootnote', params: { text } }
    }
    const fields = nested(await handler.parseTags(bytes))
    // What the library refuses only when it fills in is found now, before the first person gets it.
    if (!('key' in fields)) await handler.process(bytes, sampleOf(fields) as TemplateData)
    return fields
  } catch {
    // The library takes what is in square brackets for an option of its own.
    const [bracket] = /\{[^{}\n]*\[[^{}\n]*\}/.exec(all) ?? []
    return bracket === undefined
      ? { key: 'wordFile' }
      : { key: 'wordBrackets', params: { text: bracket.slice(0, maxNamed) } }
  }
}

/** Text of drawings, and the end of a paragraph in them. */
const drawn = /<(?:[\w.-]+:)?t(?:\s[^<>]*)?>([^<]*)<|<\/(?:[\w.-]+:)?p>/g

/** A field in an equation, in SmartArt or in a chart, which the library leaves as it is. */
function fieldElsewhere(markup: ReadonlyMap<string, Buffer>): string | undefined {
  for (const [name, bytes] of markup) {
    if (!/^\/?word\/.*\.xml$/i.test(name)) continue
    const part = bytes.toString('utf8')
    const isDrawing = /\/(?:diagrams|charts|drawings)\//i.test(name)
    for (const one of isDrawing ? [part] : equationsIn(part)) {
      const text = [...one.matchAll(drawn)].map(([, piece]) => piece ?? '\n').join('')
      const [field] = /\{[^{}\n]+\}/.exec(text) ?? []
      if (field !== undefined) return field.slice(0, maxNamed)
    }
  }
  return undefined
}

/** A field of Word's own mail merge: only Word fills it in, and «Name» would stay in the contract. */
function mergeFieldIn(markup: ReadonlyMap<string, Buffer>): string | undefined {
  for (const [part, bytes] of markup) {
    if (!/^\/?word\/.*\.xml$/i.test(part) || !bytes.includes('MERGEFIELD')) continue
    const [, quoted, bare] = /\bMERGEFIELD\s+(?:(?:"|&quot;)([^"&<]+)|([^\s"&\\<]+))/.exec(bytes.toString('utf8')) ?? []
    const name = (quoted ?? bare)?.slice(0, maxNamed)
    if (name !== undefined) return name
  }
  return undefined
}

function equationsIn(part: string): string[] {
  const found: string[] = []
  for (let begin = part.indexOf('<m:oMath'); begin >= 0;) {
    const end = part.indexOf('</m:oMath', begin)
    if (end < 0) break
    found.push(part.slice(begin, end))
    begin = part.indexOf('<m:oMath', end)
  }
  return found
}

/** Letters of a field that a sentence names. */
const maxNamed = 40

/** The text of a Word file, header and footer included: a line for each paragraph. */
export async function textOfWord(bytes: Buffer): Promise<string> {
  const { RelType, textOf } = await openLibrary()
  const texts: string[] = []
  for (const part of [RelType.Header, RelType.MainDocument, RelType.Footer]) texts.push(await textOf(bytes, part))
  return texts.join('').trim()
}

/** The text of a part, a line for each paragraph. */
function linesOf(node: XmlNode): string {
  if (node.nodeName === 'w:t') return (node.childNodes ?? []).map(textOfNode).join('')
  if (node.nodeName === 'w:br' || node.nodeName === 'w:cr') return '\n'
  if (node.nodeName === 'w:tab') return '\t'
  return node.nodeName === 'w:p' ? `${inside(node)}\n` : inside(node)
}

const inside = ({ childNodes = [] }: XmlNode) => childNodes.map(linesOf).join('')
const textOfNode = (node: XmlNode) => ('textContent' in node ? node.textContent : '')

/** What follows a brace that is not closed in its paragraph; the library takes it for text. */
function unclosedIn(text: string): string | undefined {
  return /\{[^{}\n]*(?=[{\n]|$)/.exec(text)?.[0].slice(0, maxNamed)
}

/** A closing brace without one before it, with its line up to there. */
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
 * The file with its fields filled in from `values`, as they are: line breaks stay. Empty texts only for the names in
 * `mayBeEmpty`. Everything that is missing, or is neither text nor number, is named at once. The same values give the
 * same bytes.
 */
export async function fillWord(
  bytes: Buffer,
  fields: readonly WordField[],
  values: PlainObject,
  mayBeEmpty: ReadonlySet<string>,
): Promise<{ readonly bytes: Buffer } | { readonly problems: readonly WordProblem[] }> {
  const problems: WordProblem[] = []
  const data = dataOf(fields, values, '', { mayBeEmpty, problems })
  if (problems.length > 0) return { problems }
  const { handler } = await openLibrary()
  return { bytes: withFixedTimes(await handler.process(bytes, data as TemplateData)) }
}

function sampleOf(fields: readonly WordField[]): PlainObject {
  return Object.fromEntries(fields.map(({ name, inside }) => [name, inside ? [sampleOf(inside)] : 'x']))
}

/**
 * Builds the tree of fields from a row of tags; reports a part that is closed but was not opened, or the other way
 * round.
 */
function nested(tags: readonly Tag[]): WordFields {
  const root: { name: string; inside: WordField[] } = { name: '', inside: [] }
  const open = [root]
  for (const { name, disposition, rawText } of tags) {
    const here = open.at(-1) ?? root
    if (disposition === 'Open') open.push({ name, inside: [] })
    else if (disposition === 'SelfClosed') addField(here.inside, { name })
    else {
      if (here === root || (name !== '' && name !== here.name))
        return here === root
          ? { key: 'wordClosed', params: { tag: rawText } }
          : { key: 'wordCrossed', params: { tag: rawText, open: here.name } }
      open.pop()
      addField((open.at(-1) ?? root).inside, here)
    }
  }
  const last = open.at(-1)
  if (last && last !== root) return { key: 'wordOpen', params: { tag: `{#${last.name}}` } }
  const both = mixedIn(tags)
  return both === undefined ? root.inside : { key: 'wordBoth', params: { field: both } }
}

/** A name that stands for a text in one place and for a part that is repeated in another. */
function mixedIn(tags: readonly Tag[]): string | undefined {
  const texts = new Set(tags.filter(({ disposition }) => disposition === 'SelfClosed').map(({ name }) => name))
  return tags.find(({ name, disposition }) => disposition === 'Open' && texts.has(name))?.name
}

function addField(to: WordField[], field: WordField): void {
  const at = to.findIndex(({ name }) => name === field.name)
  const before = to[at]
  if (!before) to.push(field)
  else if (field.inside) to[at] = { name: field.name, inside: [...(before.inside ?? []), ...field.inside] }
}

interface Filling {
  readonly mayBeEmpty: ReadonlySet<string>
  readonly problems: WordProblem[]
}

/** The values of these fields, all from `source`: what an item of a list lacks is missing, and not that of another. */
function dataOf(fields: readonly WordField[], source: PlainObject, prefix: string, filling: Filling): PlainObject {
  const entries = fields.map(({ name, inside }): [string, unknown] => {
    const value = valueIn(source, name)
    const path = `${prefix}${name}`
    return [
      name,
      inside ? partOf(inside, value, { source, prefix, path }, filling) : textOf(value, name, path, filling),
    ]
  })
  return Object.fromEntries(entries)
}

interface PartPlace {
  /** What is around the part. */
  readonly source: PlainObject
  readonly prefix: string
  readonly path: string
}

/** A list repeats its part for each item; yes or no shows it or leaves it out. */
function partOf(
  inside: readonly WordField[],
  value: unknown,
  { source, prefix, path }: PartPlace,
  filling: Filling,
): PlainObject[] {
  if (value === false) return []
  if (value === true) return [dataOf(inside, source, prefix, filling)]
  if (!Array.isArray(value)) {
    const isMissing = value === undefined || value === null
    filling.problems.push({ key: isMissing ? 'wordMissing' : 'wordNoList', params: { field: path } })
    return []
  }
  return value.map((item: unknown, index) =>
    dataOf(inside, isPlainObject(item) ? item : {}, `${path}[${index}].`, filling),
  )
}

/** A value that is there without anything in it (`null`) is an empty text. */
function textOf(given: unknown, name: string, path: string, { mayBeEmpty, problems }: Filling): string {
  const value = given === null ? '' : given
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (value === undefined) problems.push({ key: 'wordMissing', params: { field: path } })
  else if (typeof value !== 'string') problems.push({ key: 'wordNotText', params: { field: path } })
  else if (value.trim() === '' && !mayBeEmpty.has(name)) problems.push({ key: 'wordEmpty', params: { field: path } })
  const text = typeof value === 'string' ? value.replace(/\r\n?|[\v\f]/g, '\n') : ''
  // No XML file can hold these.
  if (/[^\t\n\P{Cc}]|[\p{Surrogate}\ufffe\uffff]/u.test(text))
    problems.push({ key: 'wordNotText', params: { field: path } })
  return text
}

/** By the name as it stands, which may hold dots, then as a path. */
function valueIn(scope: PlainObject, name: string): unknown {
  if (Object.hasOwn(scope, name)) return scope[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isThere ? (value as PlainObject)[part] : undefined
  }, scope)
}
