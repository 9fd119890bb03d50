/** The control room and the calls behind it, which tests use too. */
import type { Answer, Call, Route } from '../server/call'
import type { World } from '../world'
import { addFault } from './faults'
import type { Panel } from './panels'

/** Routes of the control room with these panels. */
export function createAdminRoutes(_panels: readonly Panel[]): readonly Route[] {
  const read = (path: string, show: (world: World) => unknown): Route => ({
    method: 'GET',
    path,
    admin: true,
    handle: (_call, world) => ({ json: show(world) }),
  })
  const change = (method: 'POST' | 'DELETE', path: string, handle: Route['handle']): Route => ({
    method,
    path,
    admin: true,
    handle,
  })
  return [
    read('/sandbox/faults', (world) => world.faults.list()),
    change('POST', '/sandbox/faults', addFault),
    change('DELETE', '/sandbox/faults', (_call, world) => done(world.faults.clear())),
    read('/sandbox/requests', (world) => world.requests.list()),
    change('DELETE', '/sandbox/requests', (_call, world) => done(world.requests.clear())),
    read('/sandbox/outbox', (world) => world.outbox.list()),
    read('/sandbox/clock', (world) => ({ now: world.clock.iso() })),
    change('POST', '/sandbox/clock', moveClock),
    change('POST', '/sandbox/reset', (_call, world) => done(world.reset())),
  ]
}

function done(_nothing: void): Answer {
  return { status: 204 }
}

async function moveClock(call: Call, world: World): Promise<Answer> {
  const seconds = Number(call.json().advance)
  await world.clock.advance(seconds > 0 ? seconds * 1000 : 0)
  return { json: { now: world.clock.iso() } }
}
