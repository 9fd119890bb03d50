/**
 * Serves the page that frames the signer app or the identification UI; its web messages become flow messages
 * (`interface.md` 6.1, 6.2).
 */
import { configError, inputError } from '../../lib/api/errors'
import { isPlainObject } from '../../lib/runtime/body'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/live-node'
import type { FlowMessage, Runtime, Send } from '../../lib/runtime/node-red'
import { isShared, openNodeStore, orClose, tellFailures } from '../../lib/runtime/node-store'
import { ownAddress, publicAddress } from '../../lib/runtime/public-address'
import { createPublicRoutes, type PublicRoutes } from '../../lib/runtime/public-routes'
import { createDelivery, type Delivery } from './delivery'
import { fields } from './embed.fields'
import { readWebMessage, type WebMessage } from './messages'
import { allOrigins } from './origins'
import { messageOf, pageFor } from './page-from-message'
import { createPageHandler } from './page-handler'
import { createPages, limits, type FoundPage, type Pages } from './pages'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['get', 'post'])
  registerLiveNode(RED, 'eid-embed', fields, (live) => open(live, routes))
}

type Live = LiveNode<typeof fields>

interface Host {
  readonly live: Live
  readonly pages: Pages
  readonly delivery: Delivery
  readonly warnOnce: (key: string) => void
}

/** Makes the path live. Rejects with an EidError when that cannot be. */
async function open(live: Live, routes: PublicRoutes): Promise<LiveBehaviour> {
  const { RED, status, translate } = live
  const { values } = await live.read({})
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const warnOnce = warnerOf(live)
  const back = () => void showCount(host).catch(tellFailures(live))
  const reports = isShared(live) ? openNodeStore(live, { kind: 'reports', tells: false }) : undefined
  const pages = createPages(openNodeStore(live, { kind: 'pages', ...limits, back }), reports)
  const host: Host = { live, pages, delivery: createDelivery(live, pages.isFirst), warnOnce }
  const refused = (key: string) => () => status.show({ fill: 'yellow', shape: 'ring', text: translate(key) })
  const handler = createPageHandler({
    pages,
    appTimeoutSeconds: values.timeoutSeconds > 0 ? values.timeoutSeconds : fields.timeoutSeconds.initial,
    frameAncestors: wordsOf(values.frameAncestors),
    frameSources: wordsOf(values.frameSources),
    received: (found, message) => void received(host, found, message),
    refused: refused('status.refused'),
  })
  const unmount = await orClose(pages, () => routes.mount(values.path, handler, refused('status.limited')))
  return {
    async receive(msg, send, done) {
      await handle(host, msg, send)
      done()
    },
    start: () => showCount(host).catch(tellFailures(live)),
    close(removed) {
      unmount()
      return pages.close(removed)
    },
  }
}

/** `{origin, data}` is a message that another page has received; anything else asks for a page. */
async function handle(host: Host, msg: FlowMessage, send: Send): Promise<void> {
  const { payload } = msg
  if (isPlainObject(payload) && typeof payload.origin === 'string' && 'data' in payload) {
    return handOver(host, msg, payload.origin, payload.data, send)
  }
  await makePage(host, msg)
  send([null, null, msg])
}

async function makePage(host: Host, msg: FlowMessage): Promise<void> {
  const { live, pages, warnOnce } = host
  const { client, connection } = await live.connect()
  const { values, problems } = await live.read(msg)
  const made = pageFor({ msg, values, problems, client: client.settings, baseUrl: connection.baseUrl })
  const token = await pages.add(made.page, made.lifetimeMs)
  const own = ownAddress(live.RED)
  if (values.publicUrl === '' && own.base === '') warnOnce('warnings.noAddress')
  msg.embedUrl = publicAddress(live.RED, values.publicUrl, `${values.path}/${token}`, own.base)
  await showCount(host)
}

/** A message from the person's own page: checked, sent on, and confirmed like one of ours. */
async function handOver({ live, delivery }: Host, msg: FlowMessage, origin: string, data: unknown, send: Send) {
  const { client, connection } = await live.connect()
  if (!allOrigins(client.settings, connection.baseUrl).includes(origin)) {
    throw inputError([{ path: 'payload.origin', key: 'unknownOrigin', params: { origin } }])
  }
  const message = readWebMessage(data)
  if (!message) throw inputError([{ path: 'payload.data', key: 'webMessage' }])
  // Whatever the message says it is about is asked for: its page is not ours, so there is nothing else to compare
  // with.
  const source = `${message.kind} ${message.claimed ?? ''}`
  await delivery.deliver(msg, { message, subject: {}, source, asked: false }, send)
}

/** A message from one of our pages. Never rejects: there is no input message that could carry the error. */
async function received(host: Host, found: FoundPage, message: WebMessage): Promise<void> {
  const { live, pages, delivery } = host
  const { id, page } = found
  try {
    const from = { message, subject: page, source: id, asked: page.done, page: id }
    const confirmed = await delivery.deliver(messageOf(page), from, (messages) => live.node.send(messages))
    if (!confirmed || message.type === 'sign_error') return
    await pages.finish(found)
    await showCount(host)
  } catch (thrown) {
    // When the node is closed too: the page has been told that its message arrived, and nothing else would say that it
    // goes no further.
    live.node.error(live.fail(thrown), messageOf(page))
  }
}

async function showCount({ live, pages }: Host): Promise<void> {
  const { status, translate, closing, config } = live
  const count = await pages.count()
  if (closing.aborted) return
  if (count === 0) return status.rest()
  const own = ownAddress(live.RED)
  const here = (config.publicUrl ?? '') === '' && own.base !== '' && !own.forOthers
  const text = translate(count === 1 ? 'status.page' : 'status.pages', { count })
  status.show({ fill: 'green', shape: 'dot', text: here ? translate('status.here', { pages: text }) : text })
}

/** Tells the person of something once, not with every page. */
function warnerOf({ node, translate }: Live): (key: string) => void {
  const warned = new Set<string>()
  return (key) => {
    if (!warned.has(key)) node.warn(translate(key))
    warned.add(key)
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
