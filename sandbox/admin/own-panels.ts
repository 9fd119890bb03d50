/** The control room's own panels: clock, outbox, requests. */
import { escape } from '../pages/html'
import { latest, newTab } from '../pages/table'
import type { Notice } from '../state/outbox'
import type { RecordedRequest } from '../state/requests'
import type { Panel } from './panel-type'
import { textsOf, type RoomTexts } from './texts'

/** Seconds of the clock's buttons. */
const steps = [60, 600, 3600, 86_400, 45 * 86_400]

export const clockPanel: Panel = {
  id: 'clock',
  title: (texts) => texts.clock,
  render: (world, language) => {
    const texts = textsOf(language)
    const buttons = steps.map((seconds, index) => step(seconds, texts.steps[index] ?? ''))
    return `<p class="time" data-live><time>${escape(world.clock.iso().slice(0, 19).replace('T', ' '))}</time> UTC</p>
<form data-json method="post" action="/sandbox/clock" class="row"><span id="move">${texts.moveForward}</span>
${buttons.join('')}
</form>`
  },
  state: (world) => ({ now: world.clock.iso() }),
}

export const outboxPanel: Panel = {
  id: 'outbox',
  title: (texts) => texts.outbox,
  render: (world, language) => {
    const texts = textsOf(language)
    const notices = latest(world.outbox.list())
    if (notices.length === 0) return `<p class="quiet">${escape(texts.noNotices)}</p>`
    return `<ul class="plain">${notices.map((one) => showNotice(one, texts)).join('')}</ul>`
  },
  state: (world) => world.outbox.list(),
}

export const requestPanel: Panel = {
  id: 'requests',
  title: (texts) => texts.requests,
  render: (world, language) => {
    const texts = textsOf(language)
    const requests = latest(world.requests.list())
    if (requests.length === 0) return `<p class="quiet">${escape(texts.noRequests)}</p>`
    const rows = requests.map((one) => showRequest(one, texts)).join('')
    const forget = `<form data-json data-method="DELETE" action="/sandbox/requests"><button class="plain small">${texts.forget}</button></form>`
    return `${forget}<table><thead><tr><th scope="col">${texts.time}</th><th scope="col">${texts.call}</th>
<th scope="col">${texts.answer}</th></tr></thead><tbody>${rows}</tbody></table>`
  },
  state: (world) => world.requests.list().length,
}

function showNotice(notice: Notice, texts: RoomTexts): string {
  const link = notice.link ? `<br>${newTab(notice.link, texts.openLink)}` : ''
  const subject = notice.subject ? `<strong>${escape(notice.subject)}</strong><br>` : ''
  const sent = `${escape(texts.sentTo(notice.channel, notice.to))}, ${escape(notice.at.slice(11, 19))}`
  return `<li>${subject}<span class="quiet">${sent}</span><br>${escape(notice.text)}${link}</li>`
}

function showRequest(request: RecordedRequest, texts: RoomTexts): string {
  const { id, at, method, path, query, status, operation } = request
  const search = new URLSearchParams(query).toString()
  const details = JSON.stringify({ headers: request.headers, body: request.body }, null, 2).slice(0, 4000)
  const result =
    status === 0
      ? `<span class="quiet">${texts.none}</span>`
      : `<span class="${status < 400 ? 'good' : 'bad'}">${status}</span>`
  return `<tr><td>${escape(at.slice(11, 19))}</td><td><details data-key="request-${id}"><summary><code>${escape(method)} ${escape(path)}${search ? `?${escape(search)}` : ''}</code>
<span class="quiet">${escape(operation)}</span></summary><pre>${escape(details)}</pre></details></td><td>${result}</td></tr>`
}

function step(seconds: number, label: string): string {
  return `<button class="plain small" name="advance" value="${seconds}" aria-describedby="move">${label}</button>`
}
