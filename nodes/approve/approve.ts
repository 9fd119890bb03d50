/** Passes a message on only when another person, proven by eID, has approved exactly what the person was shown. */
import { hostname } from 'node:os'
import { configError } from '../../lib/api/errors/errors'
import { ownAddress, publicAddress } from '../../lib/runtime/http/public-address'
import { createPublicRoutes, type PublicRoutes } from '../../lib/runtime/http/public-routes'
import { isSandbox } from '../../lib/runtime/node-red/client-node'
import type { FlowMessage, Runtime } from '../../lib/runtime/node-red/node-red'
import { statusTextOf, toEidError } from '../../lib/runtime/node-red/errors'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { registerLiveNode, type Arrival, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import { errorStatus } from '../../lib/runtime/node/status'
import { isShared, openNodeStore, orClose, reportFailures } from '../../lib/runtime/node/node-store'
import { endedKind, endedLimits, registerEnded } from '../../lib/runtime/monitor/ended'
import { pendingChanged, registerPending, subjectOfPending } from '../../lib/runtime/monitor/pending'
import { flowLabel } from '../../lib/runtime/node-red/flow-label'
import { sleep } from '../../lib/api/call/retry'
import { createPendingSource, withdrawnBy } from './pending-source'
import type { Values } from '../../lib/settings/fields'
import { systemClock } from '../../lib/store/clock'
import { newId } from '../../lib/store/item-name'
import { listAll } from '../../lib/store/list-all'
import { createArrivals, type Arrivals } from './arrivals'
import { approvalFor, outcomeIn, type Outcome } from './approval'
import { approversIn } from './approvers'
import { credentials, fields } from './approve.fields'
import { createDesk, type DeskOptions } from './desk'
import { createEndedLog } from './ended-log'
import { installationKey, tokenOf, type Link } from './links'
import { noticeFor } from './notices'
import { createPageHandler } from './page-handler'
import { createSessions } from './sessions'
import { createVoteBox } from './vote-box'
import { createWork, type WorkOptions } from './work'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['get', 'post'], { type: 'eid-approve', initialPath: fields.path.initial })
  registerLiveNode(RED, 'eid-approve', fields, (live) => open(live, routes), { credentials })
}

type Live = LiveNode<typeof fields>

const outputs: readonly Outcome[] = ['approved', 'rejected', 'expired']
/** Milliseconds after which the node looks which approvals other Node-REDs have ended. */
const reconcileMs = 10_000
/** Milliseconds between two looks whether an approval has been withdrawn. */
const lookMs = 100

async function open(live: Live, routes: PublicRoutes): Promise<LiveBehaviour> {
  const { RED, node, config } = live
  const { values } = await live.read({})
  const keys = openNodeStore(live, { kind: 'approvalkey', together: 'shared' })
  const key = await installationKey(keys)
  await keys.close()
  const approvers = () =>
    approversIn({
      rows: config.approversRows,
      offered: values.identityProviders,
      ids: node.credentials,
      invents: isSandbox(RED, config.client),
      nodeId: node.id,
      key,
    })
  try {
    approvers()
    return await openPage(live, routes, {
      key,
      approvers,
      base: addressIn(live, values.publicUrl, values.path),
      values,
    })
  } catch (thrown) {
    return refuseAll(live, thrown)
  }
}

/** The behavior while a setting is wrong: every message is refused, and pending approvals rest. */
function refuseAll({ status, translate }: Live, thrown: unknown): LiveBehaviour {
  const error = toEidError(thrown, translate)
  return {
    receive: () => Promise.reject(error),
    start() {
      status.setResult(errorStatus(statusTextOf(error, translate)))
      status.rest()
    },
  }
}

interface Parts extends Pick<DeskOptions, 'key' | 'approvers'> {
  readonly base: URL
  readonly values: Values<typeof fields>
}

/** Serves the page. Rejects with an EidError if its path belongs to another node. */
async function openPage(live: Live, routes: PublicRoutes, parts: Parts): Promise<LiveBehaviour> {
  const { node, status, translate } = live
  const { key, approvers, base, values } = parts
  const failed = reportFailures(live)
  const show = () => void showCount(live, store).catch(failed)
  const store = openNodeStore(live, { kind: 'approvals', back: show })
  const notes = openNodeStore(live, { kind: 'approvalnotes' })
  const endedStore = openNodeStore(live, { kind: endedKind, ...endedLimits })
  const place = { id: node.id, name: live.config.name ?? '', flow: flowLabel(live.RED, live.config) }
  const replica = isShared(live) ? hostname() : undefined
  const ended = createEndedLog({ store: endedStore, node: place, replica, clock: systemClock })
  const addressOf = (link: Link) => `${base.href.replace(/\/$/, '')}/${tokenOf(key, link)}`
  const sessions = createSessions(notes)
  const box = createVoteBox(notes, approvers)
  const arrivals = createArrivals(live)
  const service = async () => {
    const { settings } = (await live.connect()).client
    return { service: settings.service, isSandbox: settings.environment === 'sandbox' }
  }
  const common = { store, sessions, key, clock: systemClock, votes: box.votes, approvers, service }
  const work = createWork({
    ...common,
    notes,
    addressOf,
    ...outcomesOf(live, arrivals, addressOf),
    withdrawnBy: (id) => withdrawnBy(notes, id),
    ended,
    changed() {
      show()
      pendingChanged(live.RED)
    },
    failed,
  })
  const desk = createDesk({ ...common, ...callsOf(live), addVote: box.add, addressOf })
  const refused = (key: string) => () => status.show({ fill: 'yellow', shape: 'ring', text: translate(key) })
  const handler = createPageHandler({
    desk,
    base,
    isPublic: values.publicUrl !== '',
    language: values.language === 'auto' ? '' : values.language,
    refused: refused('status.refused'),
  })
  const stores = { close: async () => void (await Promise.all([store, notes, endedStore].map((one) => one.close()))) }
  const unmount = await orClose(stores, () => routes.mount(node, values.path, handler, refused('status.limited')))
  const pause = () => sleep(lookMs, live.closing)
  // A shared store reports itself what has ended, for all nodes that use it.
  const unregister = [
    registerPending(live.RED, node.id, createPendingSource(live.RED, { store, notes, node: place, pause })),
    ...(isShared(live) ? [] : [registerEnded(live.RED, node.id, ended)]),
  ]
  let reconciling: NodeJS.Timeout | undefined
  return {
    receive: (arrival) => receive(live, { arrivals, approvers, key, store, service }, arrival).then(show),
    async start() {
      work.start()
      if (isShared(live))
        reconciling = setInterval(() => void arrivals.reconcile(store).catch(failed), reconcileMs).unref()
      // An answer may have been stored just before a kill, and not been counted.
      const waiting = (await listAll(store)).filter(({ due }) => due !== undefined)
      await store.makeDue(waiting.map(({ subject }) => subject))
      show()
    },
    moved: show,
    async close() {
      unmount()
      for (const one of unregister) one()
      clearInterval(reconciling)
      await work.stop()
      await stores.close()
    },
  }
}

/** The public address of the node's pages. Throws EID_CONFIG if the live service could not send a browser back to it. */
function addressIn({ RED, config }: Live, publicUrl: string, path: string): URL {
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const own = ownAddress(RED).base
  if (publicUrl === '' && (own === '' || !isSandbox(RED, config.client))) throw configError('publicUrl')
  const base = new URL(publicAddress(RED, publicUrl, path, own))
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(base.hostname)
  if (base.protocol !== 'https:' && !isLocal && !isSandbox(RED, config.client)) throw configError('publicUrlHttps')
  return base
}

interface Receiving extends Pick<WorkOptions, 'approvers' | 'key' | 'store' | 'service'> {
  readonly arrivals: Arrivals
}

async function receive(live: Live, { arrivals, approvers, key, store, service }: Receiving, arrival: Arrival) {
  const { RED, config } = live
  const { taken, bare } = arrival
  const read = await live.read(taken)
  const id = newId()
  const { service: asked } = await service()
  // Of the proposer's ids, only marks are kept.
  const { proposer = fields.proposer.initial, proposerType = fields.proposer.type } = config
  if (proposerType === 'msg') RED.util.setMessageProperty(taken, String(proposer), undefined)
  const approval = approvalFor({ msg: taken, read, approvers: approvers(), key, service: asked, clock: systemClock })
  arrivals.add(id, arrival.msg, bare)
  try {
    const subject = subjectOfPending(String(config.client), 'approval', id)
    await store.put(id, { body: approval, summary: { title: approval.what }, subject, dueMs: 0 })
    arrivals.stored(id)
  } catch (thrown) {
    arrivals.take(id)
    throw thrown
  }
}

/** What the work does to the flow. */
function outcomesOf(live: Live, arrivals: Arrivals, addressOf: DeskOptions['addressOf']) {
  const { node, status, translate, config } = live
  const send = (outputs: (FlowMessage | FlowMessage[] | null)[]) => node.send(outputs)
  const words = translateInto(config.language === 'en' || config.language === 'nb' ? config.language : '', 'approve')
  return {
    notify: ((id, approval, approvers, reminder) => {
      const notices = approvers.map((one) =>
        noticeFor(approval, one, addressOf({ approval: id, row: one.id }), reminder, words ?? translate),
      )
      send([null, null, null, notices])
    }) satisfies WorkOptions['notify'],
    end: ((id, outcome, msg) => {
      const { done, alive } = arrivals.take(id)
      status.setResult({
        fill: outcome === 'approved' ? 'green' : 'yellow',
        shape: 'dot',
        text: translate(`status.${outcome}`),
      })
      const sent = { ...msg, ...alive }
      send(outputs.map((one) => (one === outcome ? sent : null)))
      done()
    }) satisfies WorkOptions['end'],
    fail: ((id, error, msg) => {
      const { done, alive } = arrivals.take(id)
      done(live.fail(error, msg), { ...msg, ...alive })
    }) satisfies WorkOptions['fail'],
    drop(id: string, by: string) {
      node.log(translate(by === '' ? 'log.withdrawn' : 'log.withdrawnBy', { approval: id, name: by }))
      arrivals.take(id).done()
    },
    unreadable: () => node.error(translate('warnings.unreadable'), {}),
  }
}

function callsOf(live: Live): Pick<DeskOptions, 'call' | 'identified'> {
  const { node, translate } = live
  return {
    call: (operation, options) => live.send(operation, options),
    identified(approval, name) {
      node.log(translate(name === undefined ? 'log.stranger' : 'log.identified', { approval, name: name ?? '' }))
    },
  }
}

async function showCount({ status, translate, closing }: Live, store: WorkOptions['store']): Promise<void> {
  const count = (await listAll(store)).filter(({ due, summary }) => due !== undefined && !outcomeIn(summary)).length
  if (closing.aborted) return
  if (count === 0) return status.rest()
  status.show({ fill: 'blue', shape: 'dot', text: translate('status.waiting', { count }) })
}
