/** Passes a request to its route and sends the response: authorizes, reads, records, injects faults, runs, writes. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../state/faults'
import type { Client } from '../token/clients'
import type { World } from '../world'
import { errorAnswer, HttpError } from './answers'
import type { Answer, Call, Method, Route } from './call'
import { authorize, expireToken, guardControls, guardHost } from './guard'
import { objectIn, textIn } from './json'
import { createBodyReader, MAX_OPEN_BODY_BYTES, parseObject, type ReadBody } from './read'
import type { Found, FindRoute } from './router'
import { injectAfter, injectBefore } from './fault-injection'
import { write } from './write'

const NO_BODY = Buffer.alloc(0)

/** The listener for `http.createServer`. Never rejects. */
export function createListener(world: World, find: FindRoute) {
  const readBody = createBodyReader()
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response, world, find, readBody).catch(() => response.socket?.destroy())
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  world: World,
  find: FindRoute,
  readBody: ReadBody,
): Promise<void> {
  response.setHeader('RequestId', randomUUID())
  const { method = 'GET', headers, url = '/' } = request
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? '' : url.slice(mark + 1)
  const found = find(method, path)
  if (!found) return write(response, errorAnswer(404, 'NOT_FOUND', 'There is nothing at this address.'))
  const { operation, route } = found
  const at = world.clock.now()
  const admitted = attempt(() => admit(request, route, world))
  if (admitted instanceof HttpError) {
    // A refused call never reaches a handler, so only the fact that it came is recorded.
    if (operation) world.requests.addRefused({ at, method, path, operation, status: admitted.answer.status ?? 500 })
    return write(response, admitted.answer)
  }
  const body = route.stream || method === 'GET' ? NO_BODY : await read(request, route, readBody)
  if (body instanceof HttpError) {
    return write(response, { ...body.answer, headers: { ...body.answer.headers, Connection: 'close' } })
  }
  const call: Call = { ...createCall(request, path, query, found, body), client: admitted }
  if (!operation) return write(response, await run(call, found, world))
  const entry = world.requests.add({ at, method, path, query, headers, operation, body })
  const noting: Call = { ...call, note: (noted) => void (entry.noted = noted) }
  response.on('finish', () => (entry.status = response.statusCode))
  const fault = world.faults.take({ operation, method, path }, world.clock.now())
  const runNoted: RunCall = async () => {
    const answer = await run(noting, found, world)
    entry.made = madeBy(answer)
    return answer
  }
  if (!fault) return write(response, await runNoted())
  return runWithFault(request, world, fault, runNoted, response)
}

/**
 * Checks the address, the origin and the token of a call. Returns the client; throws an HttpError if the call is
 * refused.
 */
function admit(request: IncomingMessage, route: Route, world: World): Client | undefined {
  guardHost(request, world)
  if (route.admin) guardControls(request, world)
  return authorize(request, route, world)
}

function attempt<Result>(action: () => Result): Result | HttpError {
  try {
    return action()
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

async function read(request: IncomingMessage, route: Route, readBody: ReadBody): Promise<Buffer | HttpError> {
  try {
    return await readBody(request, route.open || route.admin ? MAX_OPEN_BODY_BYTES : undefined)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

type RunCall = () => Promise<Answer>

/** The id of the object that a call created or concerned, read from its response. */
function madeBy({ json }: Answer): string {
  const { documentId, id, RequestId } = objectIn(json)
  return textIn(documentId ?? id ?? RequestId)
}

async function runWithFault(
  request: IncomingMessage,
  world: World,
  fault: Fault,
  runCall: RunCall,
  response: ServerResponse,
): Promise<void> {
  if (fault.kind === 'expired-token') expireToken(request, world)
  const instead = await injectBefore(fault, request)
  if (instead === 'closed') return
  if (instead) return write(response, instead)
  const faulty = injectAfter(fault, await runCall(), response)
  if (faulty !== 'closed') await write(response, faulty)
}

/** Runs the route's handler; an HttpError becomes its response, anything else a 500. */
async function run(call: Call, { route }: Found, world: World): Promise<Answer> {
  try {
    return await route.handle(call, world)
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
