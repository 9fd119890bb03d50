/** The language in which the numbers and dates of a list are shown. */
import type { Runtime } from './node-red'

/** The language that was chosen in a form; `auto`, or anything unknown, is the language of Node-RED itself. */
export function shownLanguage(RED: Pick<Runtime, '_'>, chosen: string): string {
  if (/^[a-z]{2}$/.test(chosen)) return chosen
  return /^[a-z]{2}(?=-|$)/.exec(RED._('@eid-flows/node-red-eid/client:dateLanguage'))?.[0] ?? 'en'
}
