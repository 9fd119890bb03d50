/** Reads and fills in Word files with the library, in the process of `file-worker.ts`. */
import type { Tag, TemplateData, XmlNode } from 'easy-template-x'
import type { PlainObject } from '../../common/plain-object'
import type { FileProblem } from './file-problem'
import { storedZip } from './stored-zip'
import { braceExtensions, hideBraces } from './word-braces'
import type { WordField, WordFields } from './word-field'
import { linesPlugin, loadWordLibrary } from './word-lines'
import { faultOfOther, maxNamed } from './other-text'
import { fieldElsewhere } from './word-elsewhere'
import { dividedFieldIn, doubledIn, linesOf, mistakeIn } from './word-text'
import { partsIn, type ZipLimits } from './zip-parts'
import { withFixedTimes } from './zip-times'

async function openLibrary() {
  const library = await loadWordLibrary()
  const others = library.createDefaultPlugins().filter(({ contentType }) => contentType !== library.TEXT_CONTENT_TYPE)
  const { extensions, tagsOf } = braceExtensions(library)
  const plugins = [...others, linesPlugin(library)]
  const handler = new library.TemplateHandler({ plugins, extensions, maxXmlDepth })
  /** Leaves literal braces hidden, so that they are not taken for fields in what it has filled in. */
  const trial = new library.TemplateHandler({
    plugins,
    extensions: { beforeCompilation: extensions.beforeCompilation ?? [] },
    maxXmlDepth,
  })
  const rootsOf = async (bytes: Buffer, part: string) => {
    const parts = await handler.getParts(bytes, part)
    return Promise.all(parts.map(async (one) => ({ path: one.path, root: await one.xmlRoot() })))
  }
  const textOf = async (bytes: Buffer, part: string) =>
    (await rootsOf(bytes, part)).map(({ root }) => linesOf(root)).join('')
  return { ...library, handler, trial, rootsOf, textOf, tagsOf }
}

/** A logo in a text box in a table is about fifty elements deep. */
const maxXmlDepth = 1000

/**
 * The limits allow about 300 pages with many font changes; reading such a file briefly takes half a gigabyte of memory.
 */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 32 * 1024 * 1024, maxTags: 300_000 }
/** A file at the limits is larger when it is filled in; the limits of the process remain. */
const limitsOfTrial: ZipLimits = {
  maxBytes: 2 * limits.maxBytes,
  maxMarkupBytes: 4 * limits.maxMarkupBytes,
  maxTags: 4 * limits.maxTags,
}

/**
 * Unpacks the file once, and passes the parts to the library in a plain zip file. The headers of a zip file can be
 * contradictory, so the library could otherwise unpack something that was not counted.
 */
async function unpacked(
  bytes: Buffer,
): Promise<{ readonly parts: ReadonlyMap<string, Buffer>; readonly plain: Buffer } | FileProblem> {
  const found = await partsIn(bytes, limits, (_name, part) => part)
  if (found === 'tooLarge') return { key: 'wordTooLarge' }
  if (found === 'unreadable') return { key: 'wordFile' }
  // Some programs on Windows write the names of the parts with backslashes.
  const parts = new Map([...found].map(([name, part]) => [name.replaceAll('\\', '/'), part]))
  return { parts, plain: Buffer.concat(storedZip(parts)) }
}

/**
 * The fields of a Word file in order, each only once; or the first mistake in the file. A file of another type has no
 * fields; if it contains some, or a password, that is the mistake.
 */
export async function fieldsIn(file: Buffer): Promise<WordFields> {
  if (file.toString('latin1', 0, 2) !== 'PK') return (await faultOfOther(file, limits)) ?? []
  const found = await unpacked(file)
  if ('key' in found) return found
  const { parts, plain: bytes } = found
  if (parts.has('content.xml')) return (await faultOfOther(file, limits)) ?? []
  const { RelType, trial, rootsOf, tagsOf } = await openLibrary()
  let all = ''
  const allRoots: XmlNode[] = []
  const isFilledIn = new Set<string>()
  let isRead = false
  try {
    for (const part of [RelType.MainDocument, RelType.Header, RelType.Footer]) {
      const found = await rootsOf(bytes, part)
      for (const { path } of found) isFilledIn.add(path)
      const roots = found.map(({ root }) => root)
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
    const fields = nested(allRoots.flatMap(tagsOf))
    isRead = true
    // The library reports some errors only when it fills in a file. Filling in sample values finds them now, before the
    // first recipient is affected.
    if ('key' in fields) return fields
    const result = await trial.process(bytes, sampleOf(fields) as TemplateData)
    const filled = await partsIn(result, limitsOfTrial, (name, part) => (isFilledIn.has(name) ? part : undefined))
    if (filled === 'tooLarge') return { key: 'wordTooLarge' }
    if (filled === 'unreadable') return { key: 'wordFile' }
    const left = new Map([...parts].map(([name, part]) => [name, filled.get(name) ?? part]))
    return (await fieldElsewhere(left, limits)) ?? fields
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

/** Adds a field. A part that is in several places needs the fields of all of them, at any depth. */
function addField(to: WordField[], field: WordField): void {
  const at = to.findIndex(({ name }) => name === field.name)
  const before = to[at]
  if (!before) to.push(field)
  else if (field.inside) {
    const inside = (before.inside ?? []).slice()
    for (const one of field.inside) addField(inside, one)
    to[at] = { name: field.name, inside }
  }
}
