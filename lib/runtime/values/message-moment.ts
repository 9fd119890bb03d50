/**
 * The moment of a message: when it first came into one of our nodes. `{date}` and `{time}` show this moment, so a
 * message that is sent again has the same texts.
 */
import { dateText } from '../../common/reminder-dates'
import type { FlowMessage } from '../node-red/node-red'

/** Notes on the message that it has come in, unless an earlier node has noted it. */
export function noteMoment(msg: FlowMessage, now = Date.now()): void {
  if (noted(msg) === undefined) msg.eidMoment = new Date(now).toISOString()
}

/** In milliseconds since 1970. */
export function momentOfMessage(msg: FlowMessage): number {
  return noted(msg) ?? Date.now()
}

/** The texts for `{date}` and `{time}`, where Node-RED runs: `2031-12-31` and `08:00`. */
export function clockWords(moment: number): { readonly date: string; readonly time: string } {
  const date = new Date(moment)
  const two = (value: number) => String(value).padStart(2, '0')
  return { date: dateText(date), time: `${two(date.getHours())}:${two(date.getMinutes())}` }
}

function noted({ eidMoment }: FlowMessage): number | undefined {
  const moment = typeof eidMoment === 'string' ? Date.parse(eidMoment) : NaN
  return Number.isNaN(moment) ? undefined : moment
}
