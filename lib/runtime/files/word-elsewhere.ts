/**
 * Finds fields in braces that are still in a Word file after it was filled in, because nothing is filled in where they
 * are, such as in the address of a link. They would stay in the contract.
 */
import { posix } from 'node:path'
import type { FileProblem } from './file-problem'
import { fieldLeftIn, textOfMarkup, textOfOther } from './other-text'
import { asMeant } from './word-braces'
import { instructionsIn, ownFieldIn } from './word-own-fields'
import type { ZipLimits } from './zip-parts'

type Parts = ReadonlyMap<string, Buffer>

/** Parts that are not printed: data of other programs, comments, building blocks, and settings. */
const notPrinted =
  /(?:^|\/)(?:customXml|glossary)\/|(?:^|\/)(?:comments\w*|settings|webSettings|fontTable|people|styles\w*)\.xml(?:\.rels)?$/i
/** The properties of the file, which are printed only where a field of Word shows them. */
const properties = /^docProps\/\w+\.xml$/i

/** Word's own fields that show a property of the file. */
const ofProperties = /^\s*(?:DOCPROPERTY|INFO|TITLE|SUBJECT|KEYWORDS|COMMENTS|AUTHOR)\b/i

/** The fault for the first field that nothing fills in; undefined if every field is filled in. */
export async function fieldElsewhere(parts: Parts, limits: ZipLimits): Promise<FileProblem | undefined> {
  const all = [...parts]
    .filter(([name]) => /\.(?:xml|rels)$/i.test(name) && !notPrinted.test(name))
    .map(([name, bytes]) => ({ name, markup: bytes.toString('utf8') }))
  const texts = all.filter(({ name }) => !properties.test(name))
  const own = ownFieldIn(texts.map(({ markup }) => markup))
  if (own) return own
  const showsProperties = texts.some(({ markup }) => instructionsIn(markup).some((one) => ofProperties.test(one)))
  for (const { name, markup } of showsProperties ? all : texts) {
    const isLinks = name.endsWith('.rels')
    const text = isLinks ? fieldInLinks(markup) : fieldInMarkup(markup)
    const key = /\/(?:foot|end)notes\w*\.xml$/i.test(name) ? 'wordFootnote' : 'wordElsewhere'
    if (text !== undefined) return { key, params: { text } }
    const inserted = isLinks ? await fieldInserted(markup, name, parts, limits) : undefined
    if (inserted !== undefined) return { key: 'wordInserted', params: { text: inserted } }
  }
  return undefined
}

/** A field in the address of a link. In an address, Word writes braces as `%7B` and `%7D`. */
function fieldInLinks(relations: string): string | undefined {
  const addresses = valuesIn(relations, /^Target$/)
  const plain = (address: string) => address.replace(/%7b/gi, '{').replace(/%7d/gi, '}').replaceAll('%20', ' ')
  return firstFieldIn(addresses.map(plain))
}

/** A field in a file that another program has inserted as it was; Word takes its text over when it saves the file. */
async function fieldInserted(relations: string, name: string, parts: Parts, limits: ZipLimits) {
  for (const [one] of relations.matchAll(/<Relationship\s[^<>]*\/aFChunk["'][^<>]*>/g)) {
    const [target = ''] = valuesIn(one, /^Target$/)
    const folder = posix.dirname(posix.dirname(name))
    const bytes = parts.get(target.startsWith('/') ? target.slice(1) : posix.join(folder, target))
    const text = bytes && (await textOfOther(bytes, limits))
    const field = typeof text === 'string' ? fieldLeftIn(text) : undefined
    if (field !== undefined) return field
  }
  return undefined
}

/** Elements whose attributes are not printed: the properties of content controls and of form fields. */
const settings = /<w:(sdtPr|ffData)(?:\s[^<>]*)?(?<!\/)>.*?<\/w:\1>/gs
/** Text that is not printed: deleted text, and the instructions of Word's own fields. */
const notText = /<w:(?:delText|instrText|delInstrText)(?:\s[^<>]*)?>[^<]*</g

function fieldInMarkup(all: string): string | undefined {
  const markup = all.replace(settings, '')
  // Other programs keep data in a field of the kind ADDIN.
  const instructions = instructionsIn(markup).filter((one) => !/^\s*ADDIN\b/i.test(one))
  const attributes = valuesIn(markup, /^(?!(?:\w+:)?name$)/)
  return firstFieldIn([textOfMarkup(markup.replace(notText, '<')), ...instructions, ...attributes])
}

const firstFieldIn = (texts: readonly string[]) => texts.map(fieldLeftIn).find((field) => field !== undefined)

/** The values of the attributes with such a name. */
function valuesIn(markup: string, name: RegExp): string[] {
  const found = markup.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g)
  return [...found].flatMap(([, one = '', quoted, single]) => {
    const value = quoted ?? single ?? ''
    return name.test(one) ? textOfMarkup(asMeant(value)) : []
  })
}
