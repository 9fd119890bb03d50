/** Keeps leading zeros that only the format of a cell in an Excel file adds: the postal code 0150 is stored as 150. */

/** The minimum number of digits in cells of a style, keyed by the number of the style. */
type Digits = ReadonlyMap<string, number>

/**
 * A format that consists of zeros, which may be grouped, and may apply only up to a limit: `0000`, `000000\ 00000`,
 * `[<=9999]0000;General`.
 */
const padded = /^(?:\[<=?\d+\])?((?:0|\\.|[ -]|"[^"]*")*)(?:;(?:General|Standard|@))?$/i
/** The maximum number of digits, because a hostile file could make each of its cells as long as it wants. */
const maxDigits = 100
const entities: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'" }

/** Reads the styles of a workbook. */
export function digitsOfStyles(styles: string): Digits {
  const formats = new Map<string, number>()
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^<>]*>/g)) {
    const code = attribute(tag, 'formatCode').replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
    const [, zeros = ''] = padded.exec(code) ?? []
    const count = zeros.replace(/\\.|"[^"]*"|[^0]/g, '').length
    if (count > 1 && count <= maxDigits) formats.set(attribute(tag, 'numFmtId'), count)
  }
  const all = styles.slice(styles.search(/<(?:\w+:)?cellXfs[\s>]/), styles.search(/<\/(?:\w+:)?cellXfs>/))
  const digits = [...all.matchAll(/<(?:\w+:)?xf\s[^<>]*>/g)].map(([tag]) => formats.get(attribute(tag, 'numFmtId')))
  return new Map(digits.flatMap((count, at) => (count === undefined ? [] : [[String(at), count] as const])))
}

const attributes = {
  formatCode: /\sformatCode=(["'])(.*?)\1/,
  numFmtId: /\snumFmtId=(["'])(.*?)\1/,
  s: /\ss=(["'])(.*?)\1/,
  t: /\st=(["'])(.*?)\1/,
} as const
const attribute = (tag: string, name: keyof typeof attributes) => attributes[name].exec(tag)?.[2] ?? ''

/** A cell with a number, which may be the result of a formula. */
const cell =
  /<((?:\w+:)?c)(\s[^<>]*)>(?:<(?:\w+:)?f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/(?:\w+:)?f>))?<((?:\w+:)?v)>(\d+)<\/\3><\/\1>/g

/** The markup of a sheet in which each number with leading zeros is a text with all its digits. */
export function withLeadingZeros(sheet: string, digits: Digits): string {
  if (digits.size === 0) return sheet
  return sheet.replace(cell, (all, name: string, given: string, value: string, number: string) => {
    const count = digits.get(attribute(given, 's'))
    const isNumber = ['', 'n'].includes(attribute(given, 't'))
    if (count === undefined || !isNumber) return all
    const others = given.replace(attributes.t, '')
    return `<${name}${others} t="str"><${value}>${number.padStart(count, '0')}</${value}></${name}>`
  })
}
