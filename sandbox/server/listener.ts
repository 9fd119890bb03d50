/** Takes a request from the wire to its route and the answer back: records, injects faults, authorises, runs, writes. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../state/faults'
import type { World } from '../world'
import { errorAnswer, HttpError } from './answers'
import type { Answer, Call, Method } from './call'
import { authorize, expireToken, guardControls } from './guard'
import { parseObject, readBody } from './read'
import type { Found, FindRoute } from './router'
import { injectAfter, injectBefore } from './fault-injection'
import { write } from './write'

const NO_BODY = Buffer.alloc(0)

/** The listener for `http.createServer`. Never rejects. */
export function createListener(world: World, find: FindRoute) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response, world, find).catch(() => response.socket?.destroy())
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, world: World, find: FindRoute) {
  response.setHeader('RequestId', randomUUID())
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? '' : url.slice(mark + 1)
  const found = find(request.method ?? 'GET', path)
  if (!found) return write(response, errorAnswer(404, 'NOT_FOUND', 'There is nothing at this address.'))
  const { operation, route } = found
  const body = route.stream || request.method === 'GET' ? NO_BODY : await readOrRefuse(request, response)
  if (!body) return
  const call = createCall(request, path, query, found, body)
  if (!operation) return write(response, await run(call, found, world))
  const { method = 'GET', headers } = request
  const entry = world.requests.add({ at: world.clock.now(), method, path, query, headers, operation, body })
  const noting: Call = { ...call, note: (noted) => void (entry.noted = noted) }
  response.on('finish', () => (entry.status = response.statusCode))
  const fault = world.faults.take({ operation, method, path })
  if (!fault) return write(response, await run(noting, found, world))
  return runWithFault(noting, found, world, fault, response)
}

async function readOrRefuse(request: IncomingMessage, response: ServerResponse): Promise<Buffer | undefined> {
  try {
    return await readBody(request)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    await write(response, { ...error.answer, headers: { Connection: 'close' } })
    return undefined
  }
}

async function runWithFault(call: Call, found: Found, world: World, fault: Fault, response: ServerResponse) {
  if (fault.kind === 'expired-token') expireToken(call.request, world)
  const instead = await injectBefore(fault, call.request)
  if (instead === 'closed') return
  if (instead) return write(response, instead)
  const faulty = injectAfter(fault, await run(call, found, world), response)
  if (faulty !== 'closed') await write(response, faulty)
}

/** Runs the route's handler; a HttpError becomes its answer, anything else a 500. */
async function run(call: Call, { route }: Found, world: World): Promise<Answer> {
  try {
    if (route.admin) guardControls(call.request, world)
    const client = authorize(call.request, route, world)
    return await route.handle(client ? { ...call, client } : call, world)
  } catch (error) {
    if (error instanceof HttpError) return error.answer
    process.stderr.write(`eid-sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
    return errorAnswer(500, 'INTERNAL', 'The sandbox failed.')
  }
}

function createCall(request: IncomingMessage, path: string, query: string, { params }: Found, body: Buffer): Call {
  return {
    method: request.method as Method,
    path,
    query: new URLSearchParams(query),
    headers: request.headers,
    client: undefined,
    request,
    body,
    param: (name) => params[name] ?? '',
    json: () => parseObject(body),
    form: () => new URLSearchParams(body.toString('utf8')),
    note: () => undefined,
  }
}
