/** A list of very many sessions: what it takes beyond the list itself, against a loop of core nodes that collects the same pages. */
import { join } from 'node:path'
import { inChild, takeTurns, type Case, type Figures } from './child'
import { good, startHost } from './host'
import { livingMemory, measure } from './memory'
import type { Row, Subject } from './report'
import { startRemote } from './service'

const rounds = 3
const sizes = [10_000, 100_000]

export const cases: Readonly<Record<string, Case>> = {
  ours: ({ url = '', size = '' }) => inHost(url, Number(size), 'ours'),
  core: ({ url = '', size = '' }) => inHost(url, Number(size), 'begin'),
}

export async function benchLists(): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (const size of sizes) subjects.push(await compare(size))
  return subjects
}

async function compare(size: number): Promise<Subject> {
  const service = await startRemote(join(__dirname, 'sessions-server.mjs'), String(size))
  const run = (name: string) => () => inChild('lists', name, { url: service.url, size: String(size) })
  const { ours, core } = await takeTurns(rounds, { ours: run('ours'), core: run('core') })
  service.stop()
  const row = (what: string, key: keyof Figures & string, unit: string): Row => ({
    what,
    ours: ours[key] ?? NaN,
    other: core[key] ?? NaN,
    unit,
  })
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

async function inHost(url: string, size: number, node: string): Promise<Figures> {
  const host = await startHost(flows(url, size))
  const list = async () => sessionsOf((await good(host.run(node, {}))).payload)
  // A short list first, so that connection, token and compiled code are there.
  await good(host.run('short', {}))
  const memory = livingMemory()
  const { result, growth, seconds } = await measure(list)
  if (result.length !== size) throw new Error(`${result.length} sessions came`)
  const living = livingMemory() - memory
  // The list has to stay alive until its memory has been told.
  if (sessionsOf(result) !== result) throw new Error('the list is gone')
  return { list: living, growth, beyond: growth - living, rate: size / seconds }
}

/** Ours hands over what the service calls a page, with all sessions in it; the loop a bare array. */
function sessionsOf(payload: unknown): readonly unknown[] {
  const list = Array.isArray(payload) ? payload : (payload as { data?: unknown }).data
  if (!Array.isArray(list)) throw new Error('no list came')
  return list
}

function flows(url: string, size: number): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const list = { ...place, type: 'eid-identification-session', client: 'c', operation: 'list', wires: [['out']] }
  const address = `${url}/identification/sessions?limit=100`
  const begin = `msg.found = []
msg.url = '${address}'
return msg`
  const collect = `for (const one of msg.payload.data) msg.found.push(one)
if (msg.payload.nextCursor) {
  msg.url = '${address}&cursor=' + msg.payload.nextCursor
  return [msg, null]
}
msg.payload = msg.found
delete msg.found
return [null, msg]`
  return [
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: url },
    { ...list, id: 'ours', limit: String(size) },
    { ...list, id: 'short', limit: '1000' },
    { ...place, id: 'begin', type: 'function', outputs: 1, func: begin, wires: [['request']] },
    { ...place, id: 'request', type: 'http request', method: 'GET', ret: 'obj', url: '', wires: [['collect']] },
    { ...place, id: 'collect', type: 'function', outputs: 2, func: collect, wires: [['request'], ['out']] },
    { ...place, id: 'out', type: 'bench-out' },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [['out']] },
  ]
}
