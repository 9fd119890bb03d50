/** Finds durations in an Excel file, such as 1750:00 hours, because they are stored like dates. */
import { byStyle, withTexts } from './number-styles'

/** What the styles of durations show, keyed by the number of the style. */
type Durations = ReadonlyMap<string, 'minutes' | 'seconds'>

/** The format `[h]:mm:ss`, which files name only by its number. */
const builtIn = new Map([['46', 'seconds']] as const)

/**
 * Reads the styles of a workbook: a format such as `[h]:mm` counts the hours on after 24. A format such as `[mm]:ss`
 * shows seconds, or counts minutes.
 */
export const durationsOfStyles = (styles: string): Durations =>
  byStyle<'minutes' | 'seconds'>(
    styles,
    (format) => {
      const bare = format.replace(/"[^"]*"|\\.|\[\$[^\]]*\]/g, '')
      if (!/\[(?:h+|m+|s+)\]/i.test(bare)) return undefined
      return /\[m+\]|s/i.test(bare) ? 'seconds' : 'minutes'
    },
    builtIn,
  )

const secondsPerDay = 86_400

/**
 * The markup of a sheet in which each duration of a day or more is the text `mark`. A shorter one that shows seconds
 * becomes a text with its seconds: 3:25 minutes would otherwise be read as the time 00:03.
 */
export function withoutDurations(sheet: string, durations: Durations, mark: string): string {
  if (durations.size === 0) return sheet
  return withTexts(sheet, (number, style) => {
    const shown = durations.get(style)
    const seconds = Math.round(Number(number) * secondsPerDay)
    if (shown === undefined || !(seconds >= 0)) return undefined
    if (seconds >= secondsPerDay) return mark
    return shown === 'seconds' ? new Date(seconds * 1000).toISOString().slice(11, 19) : undefined
  })
}
