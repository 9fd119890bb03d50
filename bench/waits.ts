/**
 * Measures thousands of waits at once on one "wait" node, compared with as many chains of core delay and `http
 * request`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inChild, takeTurns, type Case, type Figures } from './child'
import { startHost, type Host } from './host'
import { livingMemory, mebibyte, measure } from './memory'
import type { Row, Subject } from './report'
import { roundsOr } from './rounds'
import { startPlainServer } from './service'
import { timerCount } from './turns'

const rounds = roundsOr(2)
const waits = 5000
const seconds = 6
const maxSeconds = 12

export const cases: Readonly<Record<string, Case>> = {
  ours: ({ url = '' }) => inHost(url, 'ours'),
  core: ({ url = '' }) => inHost(url, 'delay'),
}

export async function benchWaits(): Promise<Subject[]> {
  const service = await startPlainServer()
  const run = (name: string) => () => inChild('waits', name, { url: service.url })
  const { ours, core } = await takeTurns(rounds, { ours: run('ours'), core: run('core') })
  service.stop()
  const row = (what: string, key: keyof Figures & string, unit: string): Row => ({
    what,
    ours: ours[key] ?? NaN,
    other: core[key] ?? NaN,
    unit,
  })
  return [
    {
      subject: `${waits.toLocaleString('en')} waits at once, their first seconds`,
      alternative: 'core delay + http request',
      rows: [
        { ...row('timers', 'timers', ''), aim: { atMost: 10, of: 'ours' } },
        row('living memory per wait', 'memory', 'kB'),
        row('calls per second', 'calls', '/s'),
        row('CPU per call', 'cpu', 'µs'),
      ],
    },
  ]
}

/** Starts the waits of `node`, lets them call the service, and counts timers, reachable memory and calls. */
async function inHost(url: string, node: string): Promise<Figures> {
  const host = await startHost(flows(url))
  // One wait runs first, to open the connection, get the token and compile the code.
  start(host, node, 0)
  await asked(url, 2)
  const memory = livingMemory()
  const calls = await callsTo(url)
  const timers = timerCount()
  const { cpu, result } = await measure(async () => {
    for (let n = 1; n <= waits; n++) start(host, node, n)
    const begin = performance.now()
    const elapsed = () => (performance.now() - begin) / 1000
    const counts: number[] = []
    // The measurement runs until the service was asked about every wait once, unless that takes too long.
    while (elapsed() < seconds || (elapsed() < maxSeconds && (await callsTo(url)) - calls < waits)) {
      await pause(250)
      counts.push(timerCount() - timers)
    }
    return { calls: (await callsTo(url)) - calls, timers: Math.max(...counts), seconds: elapsed() }
  })
  const living = ((livingMemory() - memory) * mebibyte) / 1000 / waits
  return {
    timers: result.timers,
    memory: living,
    calls: result.calls / result.seconds,
    cpu: (cpu / result.calls) * 1e6,
  }
}

function start(host: Host, node: string, n: number): void {
  host.give(node, {
    documentId: `document-${n}`,
    topic: 'contract',
    payload: { customer: n, title: 'Rental agreement' },
  })
}

async function callsTo(url: string): Promise<number> {
  return ((await (await fetch(`${url}/count`)).json()) as { calls: number }).calls
}

async function asked(url: string, more: number): Promise<void> {
  const before = await callsTo(url)
  while ((await callsTo(url)) < before + more) await pause(50)
}

/**
 * The flows of both contenders, our node and the chain of core nodes. Both ask again after two seconds. By default, our
 * node then waits longer and longer between its calls.
 */
function flows(url: string): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const pauses = { pauseType: 'delay', timeout: '2', timeoutUnits: 'seconds' }
  const rules = [{ t: 'eq', v: 'signed', vt: 'str' }, { t: 'else' }]
  const check = { property: 'payload.documentStatus', propertyType: 'msg', rules, checkall: 'false', outputs: 2 }
  const address = `${url}/signature/documents/bench/status`
  return [
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: url },
    { ...place, id: 'ours', type: 'eid-wait', client: 'c', what: 'document', wires: [['out'], ['out'], ['out']] },
    { ...place, id: 'delay', type: 'delay', ...pauses, wires: [['request']] },
    { ...place, id: 'request', type: 'http request', method: 'GET', ret: 'obj', url: address, wires: [['switch']] },
    { ...place, id: 'switch', type: 'switch', ...check, wires: [['out'], ['delay']] },
    { ...place, id: 'out', type: 'bench-out' },
  ]
}
