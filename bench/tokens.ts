/** Counts the token requests for 10,000 messages. */
import { startHost } from './host'
import type { Subject } from './report'
import { startPlainServer } from './service'

const messages = 10_000

export async function benchTokens(): Promise<Subject[]> {
  const service = await startPlainServer()
  const place = { z: 'f', x: 1, y: 1 }
  const host = await startHost([
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: service.url },
    { ...place, id: 'n', type: 'eid-document', operation: 'get', client: 'c', wires: [['out']] },
    { ...place, id: 'out', type: 'bench-out' },
  ])
  await Promise.all(Array.from({ length: messages }, () => host.run('n', { documentId: 'bench' })))
  await host.stop()
  const { tokens } = (await (await fetch(`${service.url}/count`)).json()) as { tokens: number }
  service.stop()
  const row = { what: 'token requests', ours: tokens, unit: '', aim: { atMost: 1, of: 'ours' } } as const
  return [{ subject: `tokens for ${messages.toLocaleString('en')} messages at once`, alternative: '', rows: [row] }]
}
