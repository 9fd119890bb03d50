/**
 * Plays random histories of calls that change something, against a service that records its acts. Compares the outcomes
 * that the client reports with these acts.
 */
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { createClient, type ApiClient } from '../../lib/api/client'
import type { CallOptions } from '../../lib/api/call/call'
import { createDocument } from '../../lib/api/documents'
import { EidError } from '../../lib/api/errors/errors'
import { operations, type OperationName } from '../../lib/api/operations/operations'
import { TokenStore } from '../../lib/api/token/token'
import { faults as everyFault, looks, startActingService, type Deeds, type History } from './acting-service'

/** The results: how the calls ended, and what must not happen. */
interface Tally {
  readonly histories: number
  readonly seed: number
  /** How many requests arrived, and how often the service acted. */
  readonly requests: number
  readonly acts: number
  readonly ends: Readonly<Record<string, number>>
  /** Calls that the service acted on, although the error says `not-done`. */
  readonly untrue: readonly string[]
  /** Calls that the service acted on more often than the rules allow. */
  readonly twice: readonly string[]
  /** Calls that succeeded although the service did nothing, and calls that failed with an error of another class. */
  readonly odd: readonly string[]
}

/** How many calls are under way at the same time. */
const parallel = 24
/**
 * The timeouts in milliseconds: a short one for a service that does not answer, and a long one for a service that
 * always answers, because the machine may be busy.
 */
const timeoutMs = { silent: 400, otherwise: 20_000 }

const changing = (Object.keys(operations) as OperationName[]).filter((name) => operations[name].method !== 'GET')

/** Creates histories; the same seed creates the same histories. */
function histories(count: number, seed: number): History[] {
  const history = fc.record({
    operation: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...changing) },
      { weight: 1, arbitrary: fc.constant('createDocument' as const) },
      { weight: 1, arbitrary: fc.constantFrom('terminateDeposit' as const, 'cancelDeposit' as const) },
    ),
    faults: fc.array(fc.constantFrom(...everyFault), { minLength: 1, maxLength: 5 }),
    looks: fc.array(fc.constantFrom(...looks), { minLength: 1, maxLength: 4 }),
    stopAt: fc.option(fc.nat(3), { freq: 5, nil: undefined }),
    oneShot: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  })
  return fc.sample(history, { numRuns: count, seed }).map((one, index) => ({ ...one, id: `h${index}` }))
}

/** Plays `count` histories and reports the results. */
export async function playHistories(count: number, seed: number): Promise<Tally> {
  const service = await startActingService()
  const client = createClient({
    baseUrl: service.url,
    clientId: 'client-1',
    clientSecret: 'secret-of-client-1',
    scopes: [],
    concurrency: parallel,
    tokens: new TokenStore(),
    wait: (_ms, signal) => (signal?.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve()),
    findProxy: () => undefined,
  })
  const all = histories(count, seed)
  const ends = new Map<string, unknown>()
  const left = [...all]
  const worker = async () => {
    for (let history = left.pop(); history; history = left.pop()) {
      const stop = new AbortController()
      service.play(history, () => stop.abort())
      ends.set(history.id, await end(client, history, stop.signal))
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  await client.close()
  await service.close()
  return judge(all, ends, service.deeds, seed)
}

/** Makes the call. Resolves to `done`, or to the error. */
async function end(client: ApiClient, history: History, signal: AbortSignal): Promise<unknown> {
  const { id, operation, faults, oneShot } = history
  const body = { history: id, externalId: id }
  const params = { id, signerId: id, attachmentId: id, recipientId: id, contentId: id }
  const makeBody = () => ({ data: Readable.from([JSON.stringify(body)], { objectMode: false }), headers: {}, oneShot })
  const timeout = faults.some((fault) => fault.endsWith('silent')) ? timeoutMs.silent : timeoutMs.otherwise
  const options: CallOptions = {
    params,
    signal,
    timeout,
    query: { history: id },
    ...(oneShot ? { makeBody } : { body }),
  }
  try {
    if (operation === 'createDocument') await createDocument(client, body, options)
    else await client.send(operation, options)
    return 'done'
  } catch (error) {
    return error
  }
}

function judge(all: readonly History[], ends: Map<string, unknown>, deeds: ReadonlyMap<string, Deeds>, seed: number) {
  const tally = { histories: all.length, seed, requests: 0, acts: 0, ends: {} as Record<string, number> }
  const [untrue, twice, odd]: string[][] = [[], [], []]
  for (const history of all) {
    const end = ends.get(history.id)
    const done = deeds.get(history.id) ?? { arrived: [], acts: 0, looked: 0 }
    const record = JSON.stringify({ ...history, ...done, end: end instanceof EidError ? end.cause : String(end) })
    tally.requests += done.arrived.length
    tally.acts += done.acts
    const name = end instanceof EidError ? `${end.code} ${end.cause.outcome}` : String(end)
    tally.ends[name] = (tally.ends[name] ?? 0) + 1
    if (end instanceof EidError ? end.cause.outcome === 'not-done' && done.acts > 0 : false) untrue?.push(record)
    if (done.acts > allowed(history) || unseen(history, done)) twice?.push(record)
    if (end === 'done' ? done.acts === 0 : !(end instanceof EidError)) odd?.push(record)
  }
  return { ...tally, untrue: untrue ?? [], twice: twice ?? [], odd: odd ?? [] }
}

/** Whether a document was created again without a look-up, although an earlier request may have created it. */
function unseen({ operation }: History, { arrived, looked }: Deeds): boolean {
  const harmless = arrived.slice(0, -1).filter((fault) => /-(?:429|401)$/.test(fault)).length
  return operations[operation].repeat === 'lookup' && arrived.length - 1 - harmless > looked
}

/**
 * How often the rules allow the service to act on a call. Calls that are safe to repeat have no limit; nor does the
 * creation of a document, which `unseen` judges. For any other call, the service may act once.
 */
function allowed({ operation }: History): number {
  return operations[operation].repeat === 'never' ? 1 : Infinity
}
