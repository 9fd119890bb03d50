/**
 * What Node-REDs that share a store report to each other: the health of their clients and their errors, so that people
 * looking at one Node-RED see those of all.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Store } from '../../store/store'
import { listMetrics, type ClientMetrics } from './client-metrics'
import { isPlainObject } from '../../common/plain-object'
import { isErrorEntry, type ErrorEntry } from './error-entry'
import { hosted, type HostOwner } from '../node-red/host'

/** One Node-RED, as described in its last report. */
export interface Replica {
  /** The name of the machine on which this Node-RED runs. If it is our own machine, the process id is added. */
  readonly name: string
  readonly clients: readonly ClientMetrics[]
  readonly troubles: readonly ErrorEntry[]
}

type Reports = Pick<Store, 'put' | 'list' | 'get' | 'remove'>

/**
 * Milliseconds between two reports, and milliseconds for which a report is valid: an instance that misses two reports
 * counts as gone.
 */
const paceMs = 15_000
const keepMs = 40_000
/** Maximum number of errors in a report; people don't read more at once. */
const maxTold = 20

/** What this Node-RED has joined; `ownId` distinguishes it from all others, on this machine or another. */
const createJoined = () => ({ ownId: randomUUID(), stores: new Map<string, Reports>() })

/**
 * Starts reporting to the other Node-REDs through a store that they share; `storeId` is the id of the store's node,
 * `errors` lists our own errors.
 * Returns a function that stops the reports. A failed report is repeated later. The nodes that use the store report the
 * store's failures.
 */
export function joinReplicas(
  RED: HostOwner,
  storeId: string,
  reports: Reports,
  errors: () => readonly ErrorEntry[],
): () => Promise<void> {
  const joined = hosted(RED, createJoined)
  joined.stores.set(storeId, reports)
  const tell = () => void reports.put(joined.ownId, { body: ownReport(RED, errors()), keepMs }).catch(() => undefined)
  tell()
  const timer = setInterval(tell, paceMs).unref()
  return async () => {
    clearInterval(timer)
    joined.stores.delete(storeId)
    await reports.remove(joined.ownId).catch(() => undefined)
  }
}

/**
 * The other Node-REDs that have reported recently. Never rejects; reports that can't be read at the moment are left
 * out.
 */
export async function otherReplicas(RED: HostOwner): Promise<Replica[]> {
  const { ownId, stores } = hosted(RED, createJoined)
  const found = await Promise.all([...stores.values()].map((reports) => readAll(reports, ownId).catch(() => [])))
  return found.flat()
}

async function readAll(reports: Reports, ownId: string): Promise<Replica[]> {
  const ids = (await reports.list()).map(({ id }) => id).filter((id) => id !== ownId)
  const items = await Promise.all(ids.map((id) => reports.get(id)))
  return items.flatMap((item) => replicaOf(item?.body) ?? [])
}

function ownReport(RED: HostOwner, errors: readonly ErrorEntry[]) {
  return { name: hostname(), process: process.pid, clients: listMetrics(RED), troubles: errors.slice(0, maxTold) }
}

/** The Node-RED described by a report; undefined if another version wrote the report in another format. */
function replicaOf(body: unknown): Replica | undefined {
  if (!isPlainObject(body) || !Array.isArray(body.clients) || !Array.isArray(body.troubles)) return undefined
  const { name, process: number, clients, troubles } = body
  if (typeof name !== 'string') return undefined
  const isSameMachine = name === hostname()
  return {
    name: isSameMachine ? `${name} (${String(number)})` : name,
    clients: clients.filter((one): one is ClientMetrics => isPlainObject(one) && typeof one.id === 'string'),
    troubles: troubles.filter(isErrorEntry),
  }
}
