/** Reads and fills in Word files with the library, in the process of `file-worker.ts`. */
import type { Tag, TemplateData, XmlNode } from 'easy-template-x'
import type { PlainObject } from '../../common/plain-object'
import type { FileProblem } from './file-problem'
import { storedZip } from './stored-zip'
import { braceExtensions, hideBraces } from './word-braces'
import type { WordField, WordFields } from './word-field'
import { linesPlugin, loadWordLibrary } from './word-lines'
import { dividedFieldIn, doubledIn, linesOf, maxNamed, mistakeIn } from './word-text'
import { partsIn, type ZipLimits } from './zip-parts'
import { withFixedTimes } from './zip-times'

async function openLibrary() {
  const library = await loadWordLibrary()
  const others = library.createDefaultPlugins().filter(({ contentType }) => contentType !== library.TEXT_CONTENT_TYPE)
  const { extensions, tagsOf } = braceExtensions(library)
  const handler = new library.TemplateHandler({ plugins: [...others, linesPlugin(library)], extensions })
  const rootsOf = async (bytes: Buffer, part: string) =>
    Promise.all((await handler.getParts(bytes, part)).map((one) => one.xmlRoot()))
  const textOf = async (bytes: Buffer, part: string) => (await rootsOf(bytes, part)).map(linesOf).join('')
  return { ...library, handler, rootsOf, textOf, tagsOf }
}

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** The types of the parts that are printed, but whose fields the library does not fill in. */
const notFilledIn = [`${relations}/footnotes`, `${relations}/endnotes`]

/**
 * The limits allow about 300 pages with many font changes; reading such a file briefly takes half a gigabyte of memory.
 */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 32 * 1024 * 1024, maxTags: 300_000 }

/**
 * Unpacks the file once, and passes the parts to the library in a plain zip file. The headers of a zip file can be
 * contradictory, so the library could otherwise unpack something that was not counted.
 */
async function unpacked(
  bytes: Buffer,
): Promise<{ readonly parts: ReadonlyMap<string, Buffer>; readonly plain: Buffer } | FileProblem> {
  const parts = await partsIn(bytes, limits, (_name, part) => part)
  if (parts === 'tooLarge') return { key: 'wordTooLarge' }
  if (parts === 'unreadable') return { key: 'wordFile' }
  return { parts, plain: Buffer.concat(storedZip(parts)) }
}

/** The fields of a Word file in order, each only once; or the first mistake in the file. */
export async function fieldsIn(file: Buffer): Promise<WordFields> {
  const found = await unpacked(file)
  if ('key' in found) return found
  const { parts: markup, plain: bytes } = found
  const elsewhere = fieldElsewhere(markup)
  if (elsewhere !== undefined) return { key: 'wordElsewhere', params: { text: elsewhere } }
  const merged = mergeFieldIn(markup)
  if (merged !== undefined) return { key: 'wordMergeField', params: { name: merged, field: `{${merged}}` } }
  const { RelType, handler, rootsOf, textOf, tagsOf } = await openLibrary()
  let all = ''
  const allRoots: XmlNode[] = []
  let isRead = false
  try {
    for (const part of [RelType.MainDocument, RelType.Header, RelType.Footer]) {
      const roots = await rootsOf(bytes, part)
      const doubled = doubledIn(roots.map(linesOf).join(''))
      if (doubled) return { key: 'wordDoubled', params: doubled }
      roots.forEach(hideBraces)
      const text = roots.map(linesOf).join('')
      all += text
      const mistake = mistakeIn(text)
      if (mistake) return mistake
      const [divided] = roots.flatMap((root) => dividedFieldIn(root) ?? [])
      if (divided !== undefined) return { key: 'wordDivided', params: { text: divided.slice(0, maxNamed) } }
      allRoots.push(...roots)
    }
    for (const part of notFilledIn) {
      const [text] = /\{[^{}\n]+\}/.exec(await textOf(bytes, part)) ?? []
      if (text !== undefined) return { key: 'wordFootnote', params: { text } }
    }
    const fields = nested(allRoots.flatMap(tagsOf))
    isRead = true
    // The library reports some errors only when it fills in a file. Filling in sample values finds them now, before the
    // first recipient is affected.
    if (!('key' in fields)) await handler.process(bytes, sampleOf(fields) as TemplateData)
    return fields
  } catch {
    // A common cause is a square bracket in a field, which the library reads as the start of an option.
    const [bracket] = /\{[^{}\n]*\[[^{}\n]*\}/.exec(all) ?? []
    if (bracket !== undefined) return { key: 'wordBrackets', params: { text: bracket.slice(0, maxNamed) } }
    const parts = [...new Set(isRead ? all.match(/\{#[^{}\n]*\}/g) : [])]
    return parts.length === 0
      ? { key: 'wordFile' }
      : { key: 'wordApart', params: { tags: parts.slice(0, 5).join(', ') } }
  }
}

/** Text in drawings, and the end of a paragraph in drawings. */
const drawn = /<(?:[\w.-]+:)?t(?:\s[^<>]*)?>([^<]*)<|<\/(?:[\w.-]+:)?p>/g

/** A field in an equation, SmartArt or a chart, which the library does not fill in. */
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

/** Finds a field of Word's own mail merge. Only Word fills in such a field, so «Name» would stay in the contract. */
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

/** The text of a Word file, including header and footer: one line per paragraph. */
export async function textIn(file: Buffer): Promise<string | FileProblem> {
  const found = await unpacked(file)
  if ('key' in found) return found
  const { RelType, textOf } = await openLibrary()
  const texts: string[] = []
  for (const part of [RelType.Header, RelType.MainDocument, RelType.Footer]) texts.push(await textOf(found.plain, part))
  return texts.join('').trim()
}

/** The file with its fields filled in. The same values give the same bytes. */
export async function filledWith(file: Buffer, data: PlainObject): Promise<Buffer | FileProblem> {
  const found = await unpacked(file)
  if ('key' in found) return found
  const { handler } = await openLibrary()
  return withFixedTimes(await handler.process(found.plain, data as TemplateData))
}

function sampleOf(fields: readonly WordField[]): PlainObject {
  return Object.fromEntries(fields.map(({ name, inside }) => [name, inside ? [sampleOf(inside)] : 'x']))
}

/**
 * Builds the tree of fields from a sequence of tags. Reports a repeated part whose opening or closing tag is missing,
 * and repeated parts that overlap.
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

/** The name of a field that is used for a text in one place and for a repeated part in another. */
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
