/** Ended waits as the tab shows them, and their signed files. */
import type { Answer } from '../../../lib/api/call/call'
import { nodeError } from '../../../lib/api/errors/errors'
import { findClient, type ClientNode } from '../../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import type { EndedItem } from '../../../lib/runtime/monitor/ended'
import { eachOnce } from '../../../lib/runtime/monitor/ended-once'
import { serviceMark } from '../../../lib/runtime/service/service-mark'
import { listAt } from '../../../lib/runtime/values/read-text'
import { systemClock } from '../../../lib/store/clock'
import { comparePlaces, partOf } from '../../../lib/runtime/people/pages'
import type { PartQuery } from '../../../lib/page/view'
import { endedPeople, reasonOf } from '../../../lib/runtime/people/waits'
import { donePlace, type DoneRow, type DoneView } from '../view'
import type { PacedList } from '../../../lib/runtime/monitor/paced-list'

export function viewOfDone(RED: Runtime, ended: PacedList<EndedItem>, query: PartQuery, language: unknown): DoneView {
  const items = eachOnce(ended.items)
  const placed = items.map((item) => ({ item, place: donePlace({ when: Date.parse(item.when), wait: item.wait }) }))
  placed.sort((one, other) => comparePlaces(one.place, other.place))
  const { items: found, before } = partOf(placed, query)
  return { rows: found.map((one) => rowOf(one, hasFile(RED, one), language)), before, count: items.length }
}

function rowOf(item: EndedItem, has: boolean, language: unknown): DoneRow {
  const { wait, what, kind, id, title, outcome, when, node, client, replica } = item
  const reason = reasonOf(item, language)
  return {
    wait,
    what,
    kind,
    id,
    title,
    outcome,
    who: endedPeople(item),
    when: Date.parse(when),
    node: node.id,
    client,
    hasFile: has,
    ...(replica !== undefined && { replica }),
    ...(reason !== undefined && { reason }),
  }
}

/** When this Node-RED was started: the sandbox inside it has forgotten all earlier documents. */
const startedAt = systemClock.epochNow()

/**
 * Whether the signed file can be fetched: the document was signed, and its client uses the service that has the file.
 */
export function hasFile(RED: Runtime, { kind, outcome, client, at, when }: EndedItem): boolean {
  if (kind !== 'document' || outcome !== 'signed') return false
  const { settings } = (RED.nodes.getNode(client) ?? {}) as Partial<ClientNode>
  if (!settings || (settings.service === 'sandbox' && Date.parse(when) < startedAt)) return false
  return at === undefined || at === serviceMark(settings.service)
}

/** Formats in order of preference: the ones that people can open most easily come first. */
const formats = ['pades', 'standard_packaging', 'native', 'xades']

/** The signed file, as a stream. Rejects with an EidError. */
export async function signedFile(RED: Runtime, { client, id }: EndedItem): Promise<Answer> {
  const api = await findClient(RED, client).connect()
  const { data } = await api.send('getDocumentStatus', { id })
  const there = listAt(data, 'completedPackages')
  const fileFormat = formats.find((one) => there.includes(one))
  if (fileFormat === undefined) throw nodeError('EID_FAILED', 'noFile', {}, { attempts: 0 })
  return api.send('getDocumentFile', { id, query: { fileFormat }, as: 'stream' })
}
