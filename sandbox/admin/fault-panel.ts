/**
 * The control room's panel of faults: buttons for common faults in plain words, and below them a form with every
 * setting.
 */
import { escape } from '../pages/html'
import { actionButton, timeOf } from '../pages/parts'
import { faultKinds, type Fault } from '../state/faults'
import type { World } from '../world'
import type { Panel } from './panel-type'
import type { RoomTexts } from './texts'

/** The fault behind each ready-made button. */
const presets: Readonly<Record<keyof RoomTexts['presetNames'], Readonly<Record<string, string | number>>>> = {
  down: { kind: 'status', status: 503, count: 3 },
  downForLong: { kind: 'close-before', seconds: 600 },
  lost: { kind: 'close-after', count: 3 },
  slow: { kind: 'slow', delay: 5000, count: 3 },
  busy: { kind: 'status', status: 429, retryAfter: '2', count: 3 },
  token: { kind: 'expired-token', count: 1 },
}

/** Creates the panel of faults. A fault can be switched on for one of `operations` or for all of them. */
export function createFaultPanel(operations: readonly string[]): Panel {
  return {
    id: 'faults',
    title: (texts) => texts.faults,
    render: ({ world, texts }) =>
      `${presetButtons(texts)}<div data-key="active">${active(world, texts)}</div>${form(operations, texts)}`,
    state: (world) => world.faults.list(),
  }
}

function presetButtons(texts: RoomTexts): string {
  const names = Object.keys(presets) as (keyof typeof presets)[]
  const buttons = names.map((name) =>
    actionButton({ action: '/sandbox/faults', label: texts.presetNames[name], values: presets[name] }),
  )
  return `<div class="row presets"><span>${escape(texts.presets)}</span>${buttons.join('')}</div>`
}

function form(operations: readonly string[], texts: RoomTexts): string {
  const option = (value: string, label: string) => `<option value="${escape(value)}">${escape(label)}</option>`
  const kinds = faultKinds.map((kind) => option(kind, texts.faultKinds[kind]))
  const all = operations.map((operation) => option(operation, operation))
  return `<form data-json data-key="fine" method="post" action="/sandbox/faults" class="row">
<div><label for="kind">${escape(texts.fault)}</label><select id="kind" name="kind">${kinds.join('')}</select></div>
<div><label for="operation">${escape(texts.operation)}</label><select id="operation" name="operation"><option value="">${escape(texts.any)}</option>${all.join('')}</select></div>
<div><label for="count">${escape(texts.times)}</label><input id="count" name="count" type="number" min="1" value="1"></div>
<div><label for="status">${escape(texts.status)}</label><input id="status" name="status" type="number" min="200" max="599" value="503"></div>
<div><label for="retryAfter">Retry-After</label><input id="retryAfter" name="retryAfter" size="6"></div>
<div><label for="delay">${escape(texts.delay)}</label><input id="delay" name="delay" type="number" min="0" step="100"></div>
<div class="check"><input id="after" name="after" type="checkbox"><label for="after">${escape(texts.actFirst)}</label></div>
<button>${escape(texts.switchOn)}</button></form>`
}

function active(world: World, texts: RoomTexts): string {
  const faults = world.faults.list()
  if (faults.length === 0) return `<p class="quiet">${escape(texts.noFaults)}</p>`
  const off = actionButton({ action: '/sandbox/faults', label: texts.switchOff, method: 'DELETE' })
  return `<ul>${faults.map((fault) => showFault(fault, texts)).join('')}</ul>${off}`
}

function showFault({ id, kind, operation, method, path, count, until, status }: Fault, texts: RoomTexts): string {
  const target = operation ?? ([method, path].filter(Boolean).join(' ') || texts.anyOperation)
  const name = `${texts.faultKinds[kind]}${kind === 'status' ? ` ${status}` : ''}`
  return `<li data-key="${escape(id)}">${escape(until === undefined ? texts.faultFor(name, target, count) : texts.faultUntil(name, target))} ${until === undefined ? '' : timeOf(new Date(until).toISOString())}</li>`
}
