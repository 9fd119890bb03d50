/**
 * Measures messages per second and CPU per message: "create document" compared with core `http request` and with a bare
 * loop.
 */
import { Agent, request } from 'node:http'
import { good, startHost } from './host'
import { median, type Subject } from './report'
import { roundsOr } from './rounds'
import { startPlainServer } from './service'

const messages = 4000
const parallel = 32
const rounds = roundsOr(5)

const body = (n: number) => ({
  title: 'Rental agreement',
  externalId: `bench-${process.pid}-${n}`,
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'contract.txt', base64Content: 'QUJD'.repeat(100) },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    },
  ],
})

/**
 * A message without a key: the node generates the key itself, as it does for most users. The other contenders need a
 * key in the message.
 */
const keyless = (n: number) => ({ ...body(n), externalId: undefined })

type SendOne = (n: number) => Promise<unknown>

export async function benchMessages(): Promise<Subject[]> {
  const service = await startPlainServer()
  const token = await fetchToken(service.url)
  const host = await startHost(flows(service.url))
  const agent = new Agent({ keepAlive: true })
  const contenders: Record<string, SendOne> = {
    ours: (n) => good(host.run('ours', { payload: keyless(n) })),
    keyed: (n) => good(host.run('ours', { payload: body(n) })),
    core: (n) => good(host.run('core', { payload: body(n), headers: { Authorization: `Bearer ${token}` } })),
    bare: (n) => post(service.url, agent, token, body(n)),
  }
  const figures = await race(contenders)
  agent.destroy()
  await host.stop()
  service.stop()
  const at = (name: string) => figures[name] ?? { rate: NaN, cpu: NaN }
  return [
    {
      subject: `create document, ${parallel} at a time`,
      alternative: 'core http request',
      rows: [
        {
          what: 'messages',
          ours: at('ours').rate,
          other: at('core').rate,
          unit: '/s',
          aim: { atLeast: 2.5, of: 'ratio' },
        },
        {
          what: 'CPU per message',
          ours: at('ours').cpu,
          other: at('core').cpu,
          unit: 'µs',
          aim: { atMost: 0.4, of: 'ratio' },
        },
        // If a message has a key, the node first asks the service whether a document with this key exists, so it makes
        // two calls per message.
        { what: 'messages with a key', ours: at('keyed').rate, other: at('core').rate, unit: '/s' },
        { what: 'CPU per message with a key', ours: at('keyed').cpu, other: at('core').cpu, unit: 'µs' },
      ],
    },
    {
      subject: `create document, ${parallel} at a time`,
      alternative: 'bare node:http',
      rows: [
        {
          what: 'messages',
          ours: at('ours').rate,
          other: at('bare').rate,
          unit: '/s',
          aim: { atLeast: 0.5, of: 'ratio' },
        },
        { what: 'CPU per message', ours: at('ours').cpu, other: at('bare').cpu, unit: 'µs' },
      ],
    },
  ]
}

/** Runs the contenders in turns; the first round warms up and does not count. */
async function race(contenders: Record<string, SendOne>): Promise<Record<string, { rate: number; cpu: number }>> {
  const rates: Record<string, number[]> = {}
  const cpus: Record<string, number[]> = {}
  let next = 0
  for (let round = 0; round <= rounds; round++) {
    for (const [name, send] of Object.entries(contenders)) {
      const before = process.cpuUsage()
      const start = performance.now()
      let left = messages
      const worker = async () => {
        while (left-- > 0) await send(next++)
      }
      await Promise.all(Array.from({ length: parallel }, worker))
      const seconds = (performance.now() - start) / 1000
      const { user, system } = process.cpuUsage(before)
      if (round === 0) continue
      ;(rates[name] ??= []).push(messages / seconds)
      ;(cpus[name] ??= []).push((user + system) / messages)
    }
  }
  const entries = Object.keys(contenders).map((name) => [
    name,
    { rate: median(rates[name] ?? []), cpu: median(cpus[name] ?? []) },
  ])
  return Object.fromEntries(entries) as Record<string, { rate: number; cpu: number }>
}

const flows = (url: string) => [
  { id: 'f', type: 'tab' },
  { id: 'c', type: 'eid-client', baseUrl: url, concurrency: parallel },
  { id: 'ours', z: 'f', x: 1, y: 1, type: 'eid-create-document', client: 'c', wires: [['out']] },
  {
    id: 'core',
    x: 1,
    y: 1,
    z: 'f',
    type: 'http request',
    method: 'POST',
    ret: 'obj',
    url: `${url}/signature/documents`,
    wires: [['out']],
  },
  { id: 'out', z: 'f', x: 1, y: 1, type: 'bench-out' },
  { id: 'catch', z: 'f', x: 1, y: 1, type: 'catch', scope: null, wires: [['out']] },
]

function post(url: string, agent: Agent, token: string, message: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(message)
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    }
    const sent = request(`${url}/signature/documents`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

async function fetchToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/oauth/connect/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'document_write' }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
