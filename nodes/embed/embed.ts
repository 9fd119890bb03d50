/**
 * Serves the page that shows the signer app or the identification UI in a frame; its web messages become flow messages
 * (`interface.md` 6.1, 6.2).
 */
import { configError, inputError } from '../../lib/api/errors/errors'
import { origins } from '../../lib/settings/rules'
import { isPlainObject } from '../../lib/common/plain-object'
import { registerLiveNode, type Arrival, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import type { FlowMessage, Runtime, Send } from '../../lib/runtime/node-red/node-red'
import { isShared, openNodeStore, orClose, reportFailures } from '../../lib/runtime/node/node-store'
import { noteSigner } from '../../lib/runtime/monitor/signer-activity'
import { ownAddress, publicAddress } from '../../lib/runtime/http/public-address'
import { createPublicRoutes, type PublicRoutes } from '../../lib/runtime/http/public-routes'
import type { ClientNode } from '../../lib/runtime/node-red/client-node'
import { registerEmbedding } from '../../lib/runtime/service/embedding'
import type { Values } from '../../lib/settings/fields'
import { systemClock } from '../../lib/store/clock'
import { confirm } from './confirmation'
import { createDelivery, withMessage, withVerdict, type Delivery } from './delivery'
import { fields } from './embed.fields'
import { isFinal, readWebMessage, type WebMessage } from './messages'
import { allOrigins, originOf, originsFor } from './origins'
import { openingMessage, pageFor, subjectOf } from './page-from-message'
import { createPageHandler, showPaused } from './page-handler'
import { createPages, limits, type FoundPage, type Pages } from './pages'
import { createReports, type Reports } from './reports'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['get', 'post'], {
    type: 'eid-embed',
    initialPath: fields.path.initial,
    page: (config, request, response) => showPaused(wordsOf(String(config.frameAncestors ?? '')), request, response),
  })
  registerLiveNode(RED, 'eid-embed', fields, (live) => open(live, routes))
}

type Live = LiveNode<typeof fields>

interface Host {
  readonly live: Live
  readonly pages: Pages
  readonly reports: Reports
  readonly delivery: Delivery
  readonly warnOnce: (key: string) => void
}

/** Opens the path. Rejects with an EidError if that fails. */
async function open(live: Live, routes: PublicRoutes): Promise<LiveBehaviour> {
  const { RED, status, translate } = live
  const { values } = await live.read({})
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  // Browsers ignore invalid entries in the security policy, and the frame would stay empty.
  const wrong = (['frameAncestors', 'frameSources'] as const).filter((path) => origins(values[path]) !== undefined)
  if (wrong.length > 0) throw inputError(wrong.map((path) => ({ path, key: 'origins' })))
  const warnOnce = warnerOf(live)
  const back = () => void showCount(host).catch(reportFailures(live))
  const counters = isShared(live) ? openNodeStore(live, { kind: 'reports' }) : undefined
  const pages = createPages(openNodeStore(live, { kind: 'pages', ...limits, back }), counters)
  const reports = openReports(live, pages)
  const host: Host = { live, pages, reports, delivery: createDelivery(live), warnOnce }
  const refused = (key: string) => () => status.show({ fill: 'yellow', shape: 'ring', text: translate(key) })
  const handler = createPageHandler({
    pages,
    appTimeoutSeconds: values.timeoutSeconds > 0 ? values.timeoutSeconds : fields.timeoutSeconds.initial,
    frameAncestors: wordsOf(values.frameAncestors),
    frameSources: wordsOf(values.frameSources),
    take: (found, message) => take(host, found, message),
    refused: refused('status.refused'),
  })
  const unmount = await orClose(pages, () => routes.mount(live.node, values.path, handler, refused('status.limited')))
  const forget = makeKnown(live, values)
  return {
    async receive(arrival) {
      await handle(host, arrival)
      arrival.done()
    },
    start() {
      reports.start()
      return showCount(host).catch(reportFailures(live))
    },
    moved: () => showCount(host).catch(reportFailures(live)),
    async close() {
      unmount()
      forget()
      await reports.close()
      await pages.close()
    },
  }
}

/**
 * Handles a message of the flow: `{origin, data}` is a web message that another page received; anything else requests a
 * page.
 */
async function handle(host: Host, { msg, taken, send }: Arrival): Promise<void> {
  const { payload } = taken
  if (isPlainObject(payload) && typeof payload.origin === 'string' && 'data' in payload) {
    return handOver(host, msg, payload.origin, payload.data, send)
  }
  msg.embedUrl = await makePage(host, taken)
  send([null, null, msg])
}

/** Makes the page that a message requests, and returns its address. */
async function makePage(host: Host, msg: FlowMessage): Promise<string> {
  const { live, pages, warnOnce } = host
  const { values, problems } = await live.read(msg)
  const { client, connection } = await live.connect()
  const made = pageFor({ msg, values, problems, client: client.settings, baseUrl: connection.baseUrl })
  const token = await pages.add(made.page, made.lifetimeMs)
  const own = ownAddress(live.RED)
  if (values.publicUrl === '' && own.base === '') warnOnce('warnings.noAddress')
  await showCount(host)
  return publicAddress(live.RED, values.publicUrl, `${values.path}/${token}`, own.base)
}

/**
 * Handles a web message that a page other than ours received. The message is validated, sent on, and verified like a
 * message of our own page.
 */
async function handOver({ live, delivery }: Host, msg: FlowMessage, origin: string, data: unknown, send: Send) {
  const { client, connection } = await live.connect()
  const unless = (known: readonly string[], key: 'unknownOrigin' | 'otherOrigin') => {
    if (!known.includes(origin)) throw inputError([{ path: 'payload.origin', key, params: { origin } }])
  }
  unless(allOrigins(client.settings, connection.baseUrl), 'unknownOrigin')
  const message = readWebMessage(data)
  if (!message) throw inputError([{ path: 'payload.data', key: 'webMessage' }])
  unless(originsFor(client.settings, connection.baseUrl, message.kind), 'otherOrigin')
  const { subject, missing } = subjectOf(message.kind, (await live.read(msg)).values)
  if (missing.length > 0) throw inputError(missing)
  await delivery.deliver(msg, message, subject, send)
}

/**
 * Handles a web message of one of our pages: a possible result is stored before the browser gets its response. Returns
 * what to do after the response; rejects with an EidError if the result can't be stored.
 */
async function take({ live, reports }: Host, found: FoundPage, message: WebMessage): Promise<() => void> {
  const { id, page } = found
  // If the page's result is already confirmed, a final message is not verified again.
  const keeps = isFinal(message) && !page.done
  try {
    const ask = keeps ? await reports.keep({ id, page, message }) : undefined
    return () => {
      if (message.type === 'user_canceled' && page.documentId !== undefined)
        noteSigner(live.RED, page.documentId, page.url, 'left')
      live.node.send([withMessage(openingMessage(page), message, page), null, null])
      ask?.()
    }
  } catch (thrown) {
    reportFailures(live)(thrown, openingMessage(page))
    throw thrown
  }
}

function openReports(live: Live, pages: Pages): Reports {
  const { node } = live
  return createReports({
    store: openNodeStore(live, { kind: 'ends', ...limits }),
    pages,
    clock: systemClock,
    ask: ({ page, message }, signal) =>
      confirm((operation, options) => live.send(operation, { ...options, signal }), message, page, signal),
    tell({ page, message }, verdict, redelivered) {
      const msg = withVerdict(withMessage(openingMessage(page), message, page), verdict)
      node.send([null, redelivered ? { ...msg, redelivered } : msg, null])
    },
    finished: () => showCount({ live, pages }),
    failed: (error, report) => reportFailures(live)(error, report && openingMessage(report.page)),
  })
}

async function showCount({ live, pages }: Pick<Host, 'live' | 'pages'>): Promise<void> {
  const { status, translate, closing, config } = live
  const count = await pages.count()
  if (closing.aborted) return
  if (count === 0) return status.rest()
  const own = ownAddress(live.RED)
  const here = (config.publicUrl ?? '') === '' && own.base !== '' && !own.forOthers
  const text = translate(count === 1 ? 'status.page' : 'status.pages', { count })
  status.show({ fill: 'green', shape: 'dot', text: here ? translate('status.here', { pages: text }) : text })
}

/** Returns a function that shows each warning only once, not for every page. */
function warnerOf({ node, translate }: Live): (key: string) => void {
  const warned = new Set<string>()
  return (key) => {
    if (!warned.has(key)) node.warn(translate(key))
    warned.add(key)
  }
}

/**
 * Makes the pages' addresses known, so that sessions of the same client can be created for these pages without entering
 * the addresses.
 */
function makeKnown({ RED, config }: Live, { publicUrl, frameAncestors }: Values<typeof fields>): () => void {
  const page = originOf(publicUrl === '' ? ownAddress(RED).base : publicUrl)
  const client = RED.nodes.getNode(String(config.client ?? '')) as Partial<ClientNode> | null | undefined
  if (page === undefined || !client?.settings) return () => undefined
  return registerEmbedding(client.settings, {
    page,
    parents: wordsOf(frameAncestors).flatMap((one) => originOf(one) ?? []),
  })
}

function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((one) => one.replace(/\/$/, ''))
}
