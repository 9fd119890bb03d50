/** Texts of the tab, and times, durations and numbers in the editor's language. */
import { browserLanguage } from '../../../lib/common/browser-language'
import { distanceFromNow } from '../../../lib/common/duration'
import type { LastSeen } from '../../../lib/page/view'

type Params = Readonly<Record<string, string | number>>

export const text = (key: string, params: Params = {}) => RED._(`@eid-flows/node-red-eid/sidebar:${key}`, params)

/** The text with this key; undefined if the catalog has no such text. */
export function textOr(key: string): string | undefined {
  const found = text(key)
  return found === '' || found.endsWith(key) ? undefined : found
}

/** The locale for the language of our texts in the user's region. */
const language = () => browserLanguage(navigator.languages, text('language'))

const dayMs = 86_400_000

/** A time in short form: "14:02" today, "Sat 02:14" within a few days, "3 Oct, 02:14" on any other day. */
export function moment(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  const isNear = Math.abs(at - now) < 6 * dayMs
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const day = isNear ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat(language(), isToday ? time : { ...day, ...time }).format(at)
}

/** The full date and time, as the tooltip of the short one. */
export function fullMoment(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'full', timeStyle: 'medium' }).format(at)
}

/** The distance of a time from now: "3 days ago", "in 2 hours", "just now". */
export const span = (at: number, now: number) => distanceFromNow(at - now, language()) ?? text('justNow')

/** The last known activity of a signer: "left without signing, Fri 16:02". */
export const lastSeen = ({ what, at }: LastSeen, now: number) => text(`seen.${what}`, { at: moment(at, now) })

export const figure = (value: number) => new Intl.NumberFormat(language()).format(value)
