/** Writes a number or a date as a cell with its format shows it, in the words and with the separators of a language. */
import { numberText } from '../../common/number-text'
import { formatted, isDate } from './sheet-library'

/** Writes a number; undefined if its cell shows nothing, or if the format can't be read. */
type Write = (value: number) => string | undefined

/** A number with a format. A date is the number of days since 1900, as in a file. */
export type CellText = (value: number, format: string) => string | undefined

/** Creates the writer of one list. */
export function createCellText(language: string): CellText {
  const locale = language === 'en' ? 'en-GB' : language
  const marks = separatorsOf(locale)
  // Most columns have one format, and reading a format takes longer than writing a number.
  const known = new Map<string, Write>()
  return (value, format) => {
    const write = known.get(format) ?? writerOf(format, locale, marks)
    known.set(format, write)
    try {
      const text = write(value)?.replace(/ {2,}/g, ' ').trim()
      return text === '' ? undefined : text
    } catch {
      return undefined
    }
  }
}

/** Formats that spreadsheet programs replace by those of the person's country: short and long date, and time. */
const shortDate = /^m\/d\/yy(?:yy)?( h:mm)?$/
const longDate = /^\[\$-(?:F800|x-sysdate)\]/i
const longTime = /^\[\$-(?:F400|x-systime)\]/i

function writerOf(format: string, locale: string, marks: Separators): Write {
  if (/^(?:general|@)$/i.test(format)) {
    const general = new Intl.NumberFormat(locale, { useGrouping: false, maximumSignificantDigits: 15 })
    return (value) => (Number.isInteger(value) ? numberText(value) : general.format(value))
  }
  if (longTime.test(format)) return formatter('hh:mm:ss')
  if (longDate.test(format)) return dates(locale, { dateStyle: 'full' })
  const [isShort, clock] = shortDate.exec(format) ?? []
  if (isShort !== undefined) {
    const on = dates(locale, { day: '2-digit', month: '2-digit', year: 'numeric' })
    const at = formatter('hh:mm')
    return clock === undefined ? on : (value) => `${on(value)} ${at(value)}`
  }
  if (isDate(format)) return dateWriter(format, locale, marks.date)
  // The library reads a percent sign only directly after the digits.
  const percent = format.replace(/(?:\\? |" ")+%/g, '%')
  const write = formatter(percent, (shown) =>
    shown.replace(/[,.]/g, (found) => (found === ',' ? marks.group : marks.decimal)),
  )
  return locale === 'en-GB' && percent === format ? write : (value) => write(value).replace(/(\d)%/, '$1 %')
}

/** Writes the names of months and days in words of the language. */
function dateWriter(format: string, locale: string, separator: string): Write {
  // Beside the day, some languages have another form of the month.
  const withDay = /d/i.test(format.replace(texts, '')) ? ({ day: 'numeric' } as const) : {}
  const names: { readonly length: number; readonly part: (date: Date) => string }[] = []
  const named = format.replace(/"[^"]*"|\\.|\[[^\]]*\]|m{3,}|d{3,}|\.(?!0)/gi, (token) => {
    // The library takes each dot in a date for the one before parts of a second.
    if (token === '.') return '"."'
    const letter = token.charAt(0).toLowerCase()
    if (letter !== 'm' && letter !== 'd') return token
    const style = token.length === 3 ? 'short' : 'long'
    const options = letter === 'd' ? ({ weekday: style } as const) : { ...withDay, month: style }
    const words = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' } as Intl.DateTimeFormatOptions)
    const type = letter === 'd' ? 'weekday' : 'month'
    const part = (date: Date) => words.formatToParts(date).find((one) => one.type === type)?.value ?? ''
    return `"${mark(names.push({ length: token.length, part }) - 1 + maxTexts)}"`
  })
  const write = formatter(named, (shown) => shown.replaceAll('/', separator))
  return (value) =>
    write(value).replace(/[\uf000-\uf8ff]/g, (found) => {
      const name = names[found.charCodeAt(0) - firstMark - maxTexts]
      const word = name?.part(dateOf(value)) ?? ''
      return name?.length === 5 ? word.charAt(0).toUpperCase() : word
    })
}

function dates(locale: string, options: Intl.DateTimeFormatOptions): (value: number) => string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  return (value) => format.format(dateOf(value))
}

const dateOf = (value: number) => new Date(Date.UTC(1899, 11, 30) + Math.round(value * 86_400) * 1000)

/** Texts of a format that are shown as they are: in quotes, after a backslash, or as a currency such as `[$kr-414]`. */
const texts = /"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]/g

/** Characters without a meaning of their own stand for texts while everything else is changed. */
const firstMark = 0xe000
const maxTexts = 0x1000
const mark = (index: number) => String.fromCharCode(firstMark + index)

/** Writes a number with a format; `change` changes everything but the texts of the format. */
function formatter(format: string, change: (shown: string) => string = (shown) => shown): (value: number) => string {
  const found: string[] = []
  const bare = format.replace(texts, (_all, quoted?: string, escaped?: string, currency?: string) => {
    const text = quoted ?? escaped ?? currency ?? ''
    return text === '' ? '' : `"${mark(found.push(text) - 1)}"`
  })
  return (value) =>
    change(formatted(bare, value)).replace(/[\ue000-\uefff]/g, (one) => found[one.charCodeAt(0) - firstMark] ?? one)
}

interface Separators {
  readonly group: string
  readonly decimal: string
  readonly date: string
}

function separatorsOf(locale: string): Separators {
  const number = new Intl.NumberFormat(locale).formatToParts(1_234_567.5)
  const date = new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(0)
  const valueOf = (parts: readonly { readonly type: string; readonly value: string }[], type: string) =>
    parts.find((part) => part.type === type)?.value ?? ''
  // A plain space, as people type it, so that the text can be found and compared.
  const group = valueOf(number, 'group').replace(/\s/, ' ')
  return { group, decimal: valueOf(number, 'decimal'), date: valueOf(date, 'literal') }
}
