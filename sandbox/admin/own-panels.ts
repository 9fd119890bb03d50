/** The control room's own panels: clock, outbox, requests. */
import { escape } from '../pages/html'
import { actionButton, newTab } from '../pages/parts'
import type { Notice } from '../state/outbox'
import type { RecordedRequest } from '../state/requests'
import type { Panel, View } from './panel-type'
import { thingList, type Thing } from './thing'

/** Seconds by which each button of the clock panel moves the clock. */
const steps = [60, 600, 3600, 86_400, 45 * 86_400]

/** Maximum characters shown of a request. */
const MAX_CHARACTERS = 4000

/** How many of the latest requests the panel searches. */
const MAX_LOOKED_AT = 100

export const clockPanel: Panel = {
  id: 'clock',
  title: (texts) => texts.clock,
  render: ({ world, texts }) => {
    const buttons = steps.map((seconds, index) => step(seconds, texts.steps[index] ?? ''))
    const now = world.clock.iso()
    return `<p class="time"><time id="now" datetime="${escape(now)}">${escape(now.slice(0, 19).replace('T', ' '))}</time></p>
<form data-json method="post" action="/sandbox/clock" class="row"><span id="move">${escape(texts.moveForward)}</span>
${buttons.join('')}
</form>`
  },
  state: (world) => ({ now: world.clock.iso() }),
}

export const outboxPanel: Panel = {
  id: 'outbox',
  title: (texts) => texts.outbox,
  render: (view) => thingList(view.world.outbox.list(), view, view.texts.noNotices, noticeThing),
  state: (world) => world.outbox.list(),
}

export const requestPanel: Panel = {
  id: 'requests',
  title: (texts) => texts.requests,
  render: (view) => {
    const { world, texts } = view
    const rows = thingList(
      world.requests.latest(MAX_LOOKED_AT),
      view,
      texts.noRequests,
      requestThing,
      world.requests.size,
    )
    const forget = actionButton({ action: '/sandbox/requests', label: texts.forget, method: 'DELETE' })
    return world.requests.size === 0 ? rows : forget + rows
  },
  state: (world) => world.requests.size,
}

/** The row of an e-mail or SMS, with the name of the recipient and the link. */
function noticeThing(notice: Notice, { texts }: View): Thing {
  const { id, at, channel, name, to, subject, text, link } = notice
  return {
    key: `notice-${id}`,
    at,
    title: subject || text,
    notes: [texts.sentTo(channel, name || to)],
    below: link ? `<div class="row">${newTab(link, texts.openLink)}</div>` : '',
    inside: () => `<p class="quiet">${escape(texts.sentTo(channel, to))}</p><p>${escape(text)}</p>`,
  }
}

function requestThing(request: RecordedRequest, { texts }: View): Thing {
  const { id, at, method, path, query, status, operation } = request
  const search = new URLSearchParams(query).toString()
  return {
    key: `request-${id}`,
    at,
    title: operation,
    ...answerOf(status),
    notes: [status === 0 ? '' : texts.answered(status)],
    inside: () => {
      const details = JSON.stringify({ headers: request.headers, body: request.body }, null, 2)
      return `<p><code>${escape(method)} ${escape(path)}${search ? `?${escape(search)}` : ''}</code></p><pre>${escape(details.slice(0, MAX_CHARACTERS))}</pre>`
    },
  }
}

function answerOf(status: number): Pick<Thing, 'state'> {
  if (status === 0) return { state: 'no answer' }
  return { state: status < 400 ? 'succeeded' : 'error' }
}

function step(seconds: number, label: string): string {
  return `<button class="plain small" name="advance" value="${seconds}" aria-describedby="move">${escape(label)}</button>`
}
