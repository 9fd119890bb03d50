/**
 * Measures the memory that a list of very many sessions takes beyond the list itself, compared with a loop of core
 * nodes that collects the same pages.
 */
import { join } from 'node:path'
import { comparing, inChild, takeTurns, type Case, type Figures } from './child'
import { good, startHost } from './host'
import { livingMemory, measure } from './memory'
import type { Subject } from './report'
import { roundsOr } from './rounds'
import { startRemote } from './service'

const rounds = roundsOr(3)
const sizes = [10_000, 100_000]

export const cases: Readonly<Record<string, Case>> = {
  ours: ({ url = '' }) => inHost(url, 'ours'),
  core: ({ url = '' }) => inHost(url, 'core'),
}

export async function benchLists(): Promise<Subject[]> {
  const service = await startRemote(join(__dirname, 'sessions-server.mjs'))
  try {
    const run = (name: string) => () => inChild('lists', name, { url: service.url })
    const { ours, core } = await takeTurns(rounds, { ours: run('ours'), core: run('core') })
    return sizes.map((size) => tableOf(size, ours, core))
  } finally {
    service.stop()
  }
}

function tableOf(size: number, ours: Figures, core: Figures): Subject {
  const row = (what: string, key: string, unit: string) => comparing(ours, core)(what, key + size, unit)
  return {
    subject: `list of ${size.toLocaleString('en')} sessions`,
    alternative: 'core http request loop',
    rows: [
      row('the list itself', 'list', 'MiB'),
      row('peak memory growth', 'growth', 'MiB'),
      { ...row('peak beyond the list', 'beyond', 'MiB'), aim: { atMost: 64, of: 'ours' } },
      row('sessions', 'rate', '/s'),
    ],
  }
}

/**
 * Reads the shorter list first, in the same process. Memory that grows with the length of a list then shows up only
 * with the longer list.
 */
async function inHost(url: string, kind: string): Promise<Figures> {
  const host = await startHost(flows(url))
  // The first run opens the connection, gets the token and compiles the code before the measurement.
  await good(host.run(`${kind}-1000`, {}))
  const figures: Record<string, number> = {}
  for (const size of sizes) {
    const memory = livingMemory()
    const { result, growth, seconds } = await measure(async () =>
      sessionsOf((await good(host.run(`${kind}-${size}`, {}))).payload),
    )
    const living = livingMemory() - memory
    // The length is checked after the memory was measured, so that the list is alive until then.
    if (result.length !== size) throw new Error(`${result.length} sessions came`)
    figures[`list${size}`] = living
    figures[`growth${size}`] = growth
    figures[`beyond${size}`] = Math.max(0, growth - living)
    figures[`rate${size}`] = size / seconds
  }
  await host.stop()
  return figures
}

/**
 * The sessions in a payload: our node sends a page in the service's format that contains all sessions; the loop sends a
 * bare array.
 */
function sessionsOf(payload: unknown): readonly unknown[] {
  const list = Array.isArray(payload) ? payload : (payload as { data?: unknown }).data
  if (!Array.isArray(list)) throw new Error('no list came')
  return list
}

function flows(url: string): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const list = { ...place, type: 'eid-identification-session', client: 'c', operation: 'list', wires: [['out']] }
  const address = `${url}/identification/sessions?limit=100`
  const begin = (size: number) => `msg.found = []
msg.size = ${size}
msg.url = '${address}'
return msg`
  const collect = `for (const one of msg.payload.data) msg.found.push(one)
if (msg.payload.nextCursor && msg.found.length < msg.size) {
  msg.url = '${address}&cursor=' + msg.payload.nextCursor
  return [msg, null]
}
msg.payload = msg.found
delete msg.found
return [null, msg]`
  const starts = [1000, ...sizes].flatMap((size) => [
    { ...list, id: `ours-${size}`, limit: String(size) },
    { ...place, id: `core-${size}`, type: 'function', outputs: 1, func: begin(size), wires: [['request']] },
  ])
  return [
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: url },
    ...starts,
    { ...place, id: 'request', type: 'http request', method: 'GET', ret: 'obj', url: '', wires: [['collect']] },
    { ...place, id: 'collect', type: 'function', outputs: 2, func: collect, wires: [['request'], ['out']] },
    { ...place, id: 'out', type: 'bench-out' },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [['out']] },
  ]
}
