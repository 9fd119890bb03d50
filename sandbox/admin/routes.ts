/** The control room and its calls, which tests use too. */
import { invalid } from '../server/answers'
import type { Answer, Call, Route } from '../server/call'
import type { World } from '../world'
import { controlRoom, panelBodies, stateOf } from './control-room'
import { addFault } from './faults'
import { createFaultPanel } from './fault-panel'
import { clockPanel, outboxPanel, requestPanel } from './own-panels'
import type { Panel } from './panel-type'

/** The longest move of the clock, in seconds: a year. */
const MAX_ADVANCE_SECONDS = 366 * 86_400

/**
 * Creates the routes of the control room. `areas` are the panels of all areas; `operations` are the operations that
 * faults can affect.
 */
export function createAdminRoutes(areas: readonly Panel[], operations: readonly string[]): readonly Route[] {
  const panels = [...areas, outboxPanel, clockPanel, createFaultPanel(operations), requestPanel]
  return [
    { method: 'GET', path: '/', admin: true, handle: (call, world) => controlRoom(panels, call, world) },
    { method: 'GET', path: '/sandbox/panels', admin: true, handle: (call, world) => panelBodies(panels, call, world) },
    { method: 'GET', path: '/sandbox/state', admin: true, handle: (_call, world) => stateOf(panels, world) },
    read('/sandbox/faults', (world) => world.faults.list()),
    change('POST', '/sandbox/faults', addFault),
    change('DELETE', '/sandbox/faults', (_call, world) => done(world.faults.clear())),
    read('/sandbox/requests', (world) => world.requests.list()),
    change('DELETE', '/sandbox/requests', (_call, world) => done(world.requests.clear())),
    read('/sandbox/outbox', (world) => world.outbox.list()),
    read('/sandbox/clock', (world) => ({ now: world.clock.iso() })),
    change('POST', '/sandbox/clock', moveClock),
    change('POST', '/sandbox/settings', changeSettings),
    change('POST', '/sandbox/reset', (_call, world) => done(world.reset())),
    change('POST', '/sandbox/start-over', (_call, world) => done(startOver(world))),
  ]
}

function read(path: string, show: (world: World) => unknown): Route {
  return { method: 'GET', path, admin: true, handle: (_call, world) => ({ json: show(world) }) }
}

function change(method: 'POST' | 'DELETE', path: string, handle: Route['handle']): Route {
  return { method, path, admin: true, handle }
}

/**
 * Resets everything to the start, including the time; registered webhooks stay, so that flows keep receiving events.
 */
function startOver(world: World): void {
  const { webhooks, nextWebhookId, signatureHeader } = world.notification
  world.reset()
  world.clock.putBack()
  Object.assign(world.notification, { webhooks, nextWebhookId, signatureHeader })
}

function done(_nothing: void): Answer {
  return { status: 204 }
}

/**
 * `POST /sandbox/clock` with `advance` in seconds; everything that falls due on the way happens before the response.
 */
async function moveClock(call: Call, world: World): Promise<Answer> {
  const seconds = Number(call.json().advance)
  if (!(seconds >= 0 && seconds <= MAX_ADVANCE_SECONDS)) {
    throw invalid([{ field: 'advance', message: 'advance must be seconds, at most a year.' }])
  }
  await world.clock.advance(seconds * 1000)
  return { json: { now: world.clock.iso() } }
}

/** `POST /sandbox/settings` with `tokenLifetime` in seconds. */
function changeSettings(call: Call, world: World): Answer {
  const lifetime = Number(call.json().tokenLifetime)
  if (!(lifetime >= 1)) throw invalid([{ field: 'tokenLifetime', message: 'tokenLifetime must be seconds.' }])
  world.tokenLifetime = lifetime
  return { json: { tokenLifetime: lifetime } }
}
