/** A service that records its own acts. The history of each call says whether the service acts and how it answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { operations, type OperationName } from '../../lib/api/operations/operations'

/**
 * What happens to one request. The word before the dash says whether the service acts, and the rest says what the
 * caller sees.
 */
export const faults = [
  'acts-good',
  'acts-closes',
  'acts-half',
  'acts-malformed',
  'acts-empty',
  'acts-other',
  'acts-silent',
  'acts-500',
  'acts-503',
  'acts-503-later',
  'acts-redirect',
  'acts-101',
  'acts-early',
  // The request is held up on its way: the service acts only long after the caller has gone.
  'holds-closes',
  'holds-silent',
  'holds-504',
  'not-closes',
  'not-silent',
  'not-500',
  'not-503-later',
  'not-429',
  'not-400',
  'not-401',
  'not-404',
  'not-422',
] as const
type Fault = (typeof faults)[number]

/** What the service answers to a look-up. `nothing`: the list does not contain the document yet, even if it exists. */
export const looks = ['good', 'good', 'nothing', 'unfiltered', '500', 'closes', 'empty', 'half'] as const
type Look = (typeof looks)[number]

/** One call, with a fault for each request that arrives; the last fault applies to all later requests. */
export interface History {
  readonly id: string
  readonly operation: OperationName
  readonly faults: readonly Fault[]
  readonly looks: readonly Look[]
  /** The caller aborts when the request with this number arrives, counted from 0. */
  readonly stopAt?: number
  /** The body is a stream that can be read once. */
  readonly oneShot: boolean
}

/** The result of a history, as the service knows it. */
export interface Deeds {
  /** The fault of every request that arrived, in order. */
  readonly arrived: Fault[]
  /** How often the service acted. */
  acts: number
  looked: number
}

interface ActingService {
  readonly url: string
  readonly deeds: ReadonlyMap<string, Deeds>
  play(history: History, stop: () => void): void
  /** Closes the service, and then performs the acts that it still holds back. */
  close(): Promise<void>
}

const seconds = { 'Retry-After': '1' }
const text = (body: unknown) => JSON.stringify(body)

/** Starts the service on a free port. It accepts every token. */
export async function startActingService(): Promise<ActingService> {
  const histories = new Map<string, { history: History; stop: () => void }>()
  const deeds = new Map<string, Deeds>()
  const held: (() => void)[] = []
  const sockets = new Set<Socket>()

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? ''
    if (url.includes('/oauth/')) return void response.end(text({ access_token: 'token-1', expires_in: 3600 }))
    const id = /h\d+/.exec(url)?.[0] ?? ''
    if (request.method === 'GET') return look(id, url, response)
    const early = faultOf(id) === 'acts-early'
    const body = early ? '' : await bodyOf(request)
    // The service does not act on an incomplete request.
    if (body !== undefined) act(id || (/h\d+/.exec(body)?.[0] ?? ''), request, response)
  }
  const faultOf = (id: string): Fault | undefined => {
    const played = histories.get(id)?.history.faults
    return played?.[deeds.get(id)?.arrived.length ?? 0] ?? played?.at(-1)
  }

  const act = (id: string, request: IncomingMessage, response: ServerResponse) => {
    const played = histories.get(id)
    const done = deeds.get(id)
    const fault = faultOf(id)
    if (!played || !done || !fault) throw new Error(`nobody plays ${id}`)
    const stopped = played.history.stopAt === done.arrived.length
    done.arrived.push(fault)
    if (fault.startsWith('acts')) done.acts++
    if (fault.startsWith('holds')) held.push(() => done.acts++)
    if (stopped) played.stop()
    answer(fault, played.history, request, response)
  }

  const answer = (fault: Fault, history: History, request: IncomingMessage, response: ServerResponse) => {
    const [, kind = '', later] = fault.split('-')
    if (kind === 'silent') return
    if (kind === 'closes') return void request.socket.destroy()
    if (kind === '101') return void request.socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n')
    if (kind === 'half') {
      response.writeHead(200, { 'Content-Length': '1000' })
      return void response.write('{"id":', () => request.socket.destroy())
    }
    if (kind === 'redirect') return void response.writeHead(307, { Location: '/elsewhere' }).end()
    if (kind === 'malformed') return void response.end('{"id":')
    if (kind === 'empty') return void response.writeHead(204).end()
    if (kind === 'other') return void response.end(text([1]))
    if (/^\d/.test(kind))
      return void response.writeHead(Number(kind), later ? seconds : {}).end(text({ message: 'no' }))
    response.end(text(recordOf(history)))
  }

  const look = (id: string, url: string, response: ServerResponse) => {
    const done = deeds.get(id)
    const all = histories.get(id)?.history.looks ?? []
    const found = url.includes('/summary') ? (all[done?.looked ?? 0] ?? all.at(-1) ?? 'good') : 'good'
    if (done && url.includes('/summary')) done.looked++
    if (!url.includes('/summary')) return void response.end(text({ documentId: id, externalId: id, signers: [{}] }))
    if (found === 'closes') return void response.socket?.destroy()
    if (found === '500') return void response.writeHead(500).end()
    if (found === 'empty') return void response.end()
    if (found === 'half') return void response.end('{"data":[')
    const others = [{ documentId: 'other', externalId: 'other' }]
    const here = done && done.acts > 0 && found === 'good' ? [{ documentId: id, externalId: id }] : []
    response.end(text({ data: found === 'unfiltered' ? others : here }))
  }

  const server = createServer((request, response) => void serve(request, response))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deeds,
    play(history, stop) {
      histories.set(history.id, { history, stop })
      deeds.set(history.id, { arrived: [], acts: 0, looked: 0 })
    },
    async close() {
      // The service first reads everything that callers sent before they closed the connection.
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.end()
        setTimeout(() => sockets.forEach((socket) => socket.destroy()), 500).unref()
      })
      for (const deed of held) deed()
    },
  }
}

function recordOf({ id, operation }: History): object {
  return { id, documentId: id, signers: [{}], RequestId: id, data: [], operation: operations[operation].path }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks).toString('latin1')
  } catch {
    return undefined
  }
}
