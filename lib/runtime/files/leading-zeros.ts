/** Keeps leading zeros that only the format of a cell in an Excel file adds: the postal code 0150 is stored as 150. */
import { byStyle, withTexts } from './number-styles'

/** The minimum number of digits in cells of a style, keyed by the number of the style. */
type Digits = ReadonlyMap<string, number>

/**
 * A format that consists of zeros, which may be grouped, and may apply only up to a limit: `0000`, `000000\ 00000`,
 * `[<=9999]0000;General`.
 */
const padded = /^(?:\[<=?\d+\])?((?:0|\\.|[ -]|"[^"]*")*)(?:;(?:General|Standard|@))?$/i
/** The maximum number of digits. Without it, a hostile file could make each of its cells as long as it wants. */
const maxDigits = 100

/** Finds out from the styles of a workbook how many digits the cells of each style show. */
export const digitsOfStyles = (styles: string): Digits =>
  byStyle(styles, (format) => {
    const [, zeros = ''] = padded.exec(format) ?? []
    const count = zeros.replace(/\\.|"[^"]*"|[^0]/g, '').length
    return count > 1 && count <= maxDigits ? count : undefined
  })

/** The markup of a sheet in which each number with leading zeros is a text with all its digits. */
export function withLeadingZeros(sheet: string, digits: Digits): string {
  if (digits.size === 0) return sheet
  return withTexts(sheet, (number, style) => {
    const count = digits.get(style)
    return count === undefined || !/^\d+$/.test(number) ? undefined : number.padStart(count, '0')
  })
}
