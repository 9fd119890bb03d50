/** The history of one object: its events as sentences, and the requests that concern the object. */
import { sentenceOf } from '../notification/sentences'
import { escape } from '../pages/html'
import { timeOf } from '../pages/parts'
import type { View } from './panel-type'

/** Maximum entries shown in each list. */
const MAX_SHOWN = 30

/**
 * The history as HTML: a list of events and a list of requests, each with a heading. `id` is the object's id in events
 * and addresses.
 */
export function historyOf(id: string, { world, language, texts }: View): string {
  const events = world.notification.history.list().filter(({ payload }) => Object.values(payload).includes(id))
  const eventRows = events.slice(-MAX_SHOWN).map((event) => {
    return `<li>${timeOf(event.timestamp)} ${escape(sentenceOf(event, world, language))}</li>`
  })
  const requestRows = world.requests.about(id, MAX_SHOWN).map(({ at, method, operation, status }) => {
    const answer = status === 0 ? texts.none : String(status)
    const word = status > 0 && status < 400 ? 'good' : 'bad'
    return `<li>${timeOf(at)} <code>${escape(method)} ${escape(operation)}</code> <span class="${word}">${escape(answer)}</span></li>`
  })
  return list(texts.events, eventRows) + list(texts.requests, requestRows)
}

function list(title: string, items: readonly string[]): string {
  return items.length > 0 ? `<h3>${escape(title)}</h3><ul class="plain">${items.join('')}</ul>` : ''
}
