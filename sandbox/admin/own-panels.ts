/** The control room's own panels: clock, outbox, faults, requests. */
import { escape } from '../pages/html'
import { faultKinds, type Fault } from '../state/faults'
import type { Notice } from '../state/outbox'
import type { RecordedRequest } from '../state/requests'
import type { World } from '../world'
import type { Panel } from './panel-type'

const SHOWN = 30

export const clockPanel: Panel = {
  id: 'clock',
  title: 'Clock',
  render: (
    world,
  ) => `<p class="time" data-live><time>${escape(world.clock.iso().slice(0, 19).replace('T', ' '))}</time> UTC</p>
<form data-json method="post" action="/sandbox/clock" class="row"><span id="move">Move forward:</span>
${step(60, '1 minute')}${step(600, '10 minutes')}${step(3600, '1 hour')}${step(86_400, '1 day')}${step(45 * 86_400, '45 days')}
</form>`,
  state: (world) => ({ now: world.clock.iso() }),
}

export const outboxPanel: Panel = {
  id: 'outbox',
  title: 'Outbox',
  render: (world) => {
    const notices = world.outbox.list().slice(-SHOWN).reverse()
    if (notices.length === 0) return '<p class="quiet">Nothing yet. E-mails and SMS that would be sent land here.</p>'
    return `<ul class="plain">${notices.map(showNotice).join('')}</ul>`
  },
  state: (world) => world.outbox.list(),
}

export const requestPanel: Panel = {
  id: 'requests',
  title: 'Requests',
  render: (world) => {
    const requests = world.requests.list().slice(-SHOWN).reverse()
    if (requests.length === 0) return '<p class="quiet">Nothing has arrived yet.</p>'
    const rows = requests.map(showRequest).join('')
    return `${remove('/sandbox/requests', 'Forget them')}<table><thead><tr><th scope="col">Time</th><th scope="col">Call</th>
<th scope="col">Answer</th></tr></thead><tbody>${rows}</tbody></table>`
  },
  state: (world) => world.requests.list().length,
}

/** Faults, to be switched on for one of these operations or for all. */
export function createFaultPanel(operations: readonly string[]): Panel {
  const options = (values: readonly string[]) => values.map((value) => `<option>${escape(value)}</option>`).join('')
  const form = `<form data-json method="post" action="/sandbox/faults" class="row">
<div><label for="kind">Fault</label><select id="kind" name="kind">${options(faultKinds)}</select></div>
<div><label for="operation">Operation</label><select id="operation" name="operation"><option value="">any</option>${options(operations)}</select></div>
<div><label for="count">Times</label><input id="count" name="count" type="number" min="1" value="1"></div>
<div><label for="status">Status</label><input id="status" name="status" type="number" min="200" max="599" value="503"></div>
<div><label for="retryAfter">Retry-After</label><input id="retryAfter" name="retryAfter" size="6"></div>
<div><label for="delay">Delay (ms)</label><input id="delay" name="delay" type="number" min="0" step="100"></div>
<div class="check"><input id="after" name="after" type="checkbox"><label for="after">act first</label></div>
<button>Switch on</button></form>`
  return {
    id: 'faults',
    title: 'Faults',
    render: (world) => `${form}<div data-live>${active(world)}</div>`,
    state: (world) => world.faults.list(),
  }
}

function active(world: World): string {
  const faults = world.faults.list()
  if (faults.length === 0) return '<p class="quiet">None is switched on.</p>'
  return `<ul>${faults.map(showFault).join('')}</ul>${remove('/sandbox/faults', 'Switch all off')}`
}

function showFault({ kind, operation, method, path, count, status }: Fault): string {
  const target = operation ?? ([method, path].filter(Boolean).join(' ') || 'any operation')
  return `<li><strong>${escape(kind)}${kind === 'status' ? ` ${status}` : ''}</strong> for ${escape(target)}, ${count} more</li>`
}

function showNotice(notice: Notice): string {
  const kind = notice.channel === 'email' ? 'E-mail' : 'SMS'
  const link = notice.link
    ? `<br><a href="${escape(notice.link)}" target="_blank" rel="noopener">Open its link</a>`
    : ''
  const subject = notice.subject ? `<strong>${escape(notice.subject)}</strong><br>` : ''
  return `<li>${subject}<span class="quiet">${kind} to ${escape(notice.to)}, ${escape(notice.at.slice(11, 19))}</span><br>${escape(notice.text)}${link}</li>`
}

function showRequest(request: RecordedRequest): string {
  const { at, method, path, query, status, operation } = request
  const search = new URLSearchParams(query).toString()
  const details = JSON.stringify({ headers: request.headers, body: request.body }, null, 2).slice(0, 4000)
  const result =
    status === 0 ? '<span class="quiet">none</span>' : `<span class="${status < 400 ? 'good' : 'bad'}">${status}</span>`
  return `<tr><td>${escape(at.slice(11, 19))}</td><td><details><summary><code>${escape(method)} ${escape(path)}${search ? `?${escape(search)}` : ''}</code>
<span class="quiet">${escape(operation)}</span></summary><pre>${escape(details)}</pre></details></td><td>${result}</td></tr>`
}

function step(seconds: number, label: string): string {
  return `<button class="plain small" name="advance" value="${seconds}" aria-describedby="move">${label}</button>`
}

function remove(action: string, label: string): string {
  return `<form data-json data-method="DELETE" action="${action}"><button class="plain small">${label}</button></form>`
}
