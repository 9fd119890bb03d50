/** Finds durations in an Excel file, such as 1750:00 hours, because they are stored like dates. */
import { byStyle, withTexts } from './number-styles'

/** The styles of durations, as keys. */
type Durations = ReadonlyMap<string, true>

/** The format `[h]:mm:ss`, which files name only by its number. */
const builtIn = new Map([['46', true]] as const)

/** Reads the styles of a workbook: a format such as `[h]:mm` counts the hours on after 24. */
export const durationsOfStyles = (styles: string): Durations =>
  byStyle(styles, (format) => (/\[(?:h+|m+|s+)\]/i.test(format.replace(/"[^"]*"/g, '')) ? true : undefined), builtIn)

/** The markup of a sheet in which each duration of a day or more is the text `mark`. */
export function withoutDurations(sheet: string, durations: Durations, mark: string): string {
  if (durations.size === 0) return sheet
  return withTexts(sheet, (number, style) => (durations.has(style) && Number(number) >= 1 ? mark : undefined))
}
