/**
 * The part of the spreadsheet library that is used here. The build puts the library into this file, without its writers
 * and its copies for browsers, because the installed library would be half of the package (decision 018).
 */
import { read, SSF } from '@e965/xlsx'

export { read }

interface Formats {
  /** Whether a number with this format is a date, a time or a duration. */
  is_date(format: string): boolean
  format(format: string, value: number): string
}

const formats = SSF as Formats

export const isDate = (format: string) => formats.is_date(format)
export const formatted = (format: string, value: number) => formats.format(format, value)
