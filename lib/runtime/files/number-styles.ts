/** Finds the number formats of the cells in an Excel file, and the cells with a number. */

const entities: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&', apos: "'" }

const attributes = {
  formatCode: /\sformatCode\s*=\s*(["'])(.*?)\1/,
  numFmtId: /\snumFmtId\s*=\s*(["'])(.*?)\1/,
  s: /\ss\s*=\s*(["'])(.*?)\1/,
  t: /\st\s*=\s*(["'])(.*?)\1/,
} as const
const attribute = (tag: string, name: keyof typeof attributes) => attributes[name].exec(tag)?.[2] ?? ''

/**
 * The values that `valueOf` returns for the formats of a workbook, keyed by the number of the style; styles without
 * such a value are left out. `builtIn` contains the values of formats that no file spells out, by their number.
 */
export function byStyle<T>(
  styles: string,
  valueOf: (format: string) => T | undefined,
  builtIn: ReadonlyMap<string, T> = new Map(),
): ReadonlyMap<string, T> {
  const formats = new Map(builtIn)
  // A format may contain `>`, so values in quotes are read whole.
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s(?:[^<>"']|"[^<"]*"|'[^<']*')*>/g)) {
    const code = attribute(tag, 'formatCode').replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
    const value = valueOf(code)
    if (value !== undefined) formats.set(attribute(tag, 'numFmtId'), value)
  }
  const all = styles.slice(styles.search(/<(?:\w+:)?cellXfs[\s>]/), styles.search(/<\/(?:\w+:)?cellXfs>/))
  const values = [...all.matchAll(/<(?:\w+:)?xf\s[^<>]*>/g)].map(([tag]) => formats.get(attribute(tag, 'numFmtId')))
  return new Map(values.flatMap((value, at) => (value === undefined ? [] : [[String(at), value] as const])))
}

/** A cell with a number, which may be the result of a formula. Some programs indent the markup of a cell. */
const cell =
  /<((?:\w+:)?c)(\s[^<>]*)>\s*(?:<(?:\w+:)?f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/(?:\w+:)?f\s*>)\s*)?<((?:\w+:)?v)(?:\s[^<>]*)?>\s*(-?\d[\d.Ee+-]*)\s*<\/\3\s*>\s*<\/\1\s*>/g

/**
 * The markup of a sheet in which each number becomes the text that `textOf` returns for it and its style; a number for
 * which it returns undefined stays.
 */
export function withTexts(sheet: string, textOf: (number: string, style: string) => string | undefined): string {
  return sheet.replace(cell, (all, name: string, given: string, value: string, number: string) => {
    if (!['', 'n'].includes(attribute(given, 't'))) return all
    const text = textOf(number, attribute(given, 's'))
    if (text === undefined) return all
    return `<${name}${given.replace(attributes.t, '')} t="str"><${value}>${text}</${value}></${name}>`
  })
}
