/** Serves the page that frames the signer app or the identification UI; its web messages become flow messages (`interface.md` 6.1, 6.2). */
import type { ApiClient } from '../../lib/api/client'
import { configError, inputError } from '../../lib/api/errors'
import { briefly, toEidError, toRefusal } from '../../lib/runtime/errors'
import { isPlainObject } from '../../lib/runtime/body'
import { findClient, timeoutFor, type ClientSettings } from '../../lib/runtime/client-node'
import { safeDone } from '../../lib/runtime/safe-done'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode, Send } from '../../lib/runtime/node-red'
import { createPacedStatus, type PacedStatus } from '../../lib/runtime/paced-status'
import { createPublicRoutes, publicAddress, type PublicRoutes } from '../../lib/runtime/public-routes'
import { createTranslate, type Translate } from '../../lib/runtime/texts'
import { createReader, type ReadValues } from '../../lib/runtime/values'
import { confirm, type Ask, type Subject } from './confirm'
import { fields } from './embed.fields'
import { isFinal, readWebMessage, type WebMessage } from './messages'
import { allOrigins } from './origins'
import { createPages, type Page, type Pages } from './pages'
import { pageFor } from './register'
import { createVisit } from './visits'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['get', 'post'])
  RED.nodes.registerType('eid-embed', function (this: RuntimeNode, config: NodeConfig) {
    RED.nodes.createNode(this, config)
    start(RED, this, config, routes)
  })
}

interface Host {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly translate: Translate
  readonly status: PacedStatus
  readonly read: ReadValues<typeof fields>
  readonly pages: Pages
  readonly closing: AbortController
}

function start(RED: Runtime, node: RuntimeNode, config: NodeConfig, routes: PublicRoutes): void {
  const translate = createTranslate(RED, 'embed', fields)
  const status = createPacedStatus(RED, node, translate, config.client)
  const read = createReader({ RED, node }, fields, config)
  const pages = createPages(() => showCount(host))
  const host: Host = { RED, node, config, translate, status, read, pages, closing: new AbortController() }
  const opened = openPath(host, routes)
  const running = new Set<Promise<void>>()
  status.rest()
  node.on('input', (msg, send, done) => {
    const end = safeDone(done, node, translate)
    const handled = opened
      .then(() => handle(host, msg, send))
      .then(
        () => end(),
        (thrown: unknown) => end(fail(host, toRefusal(thrown, translate))),
      )
      .then(() => void running.delete(handled))
    running.add(handled)
  })
  // Reported with every message; here only so that no rejection is left alone.
  opened.catch((thrown: unknown) => void fail(host, thrown))
  node.on('close', (_removed, closed) => {
    host.closing.abort()
    pages.close()
    const end = () => {
      status.clear()
      closed()
    }
    void opened.then((close) => close()).then(end, end)
  })
}

/** Makes the path live; gives what ends that. Rejects with EID_CONFIG when that cannot be. */
async function openPath(host: Host, routes: PublicRoutes): Promise<() => void> {
  const { RED, pages, status, translate } = host
  const { values } = await host.read({})
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const refused = (key: string) => () => status.show({ fill: 'yellow', shape: 'ring', text: translate(key) })
  const visit = createVisit({
    pages,
    patience: values.timeoutSeconds > 0 ? values.timeoutSeconds : fields.timeoutSeconds.initial,
    frameAncestors: words(values.frameAncestors),
    frameSources: words(values.frameSources),
    received: (page, message) => void received(host, page, message),
    refused: refused('status.refused'),
  })
  const close = routes.open(values.path, visit, refused('status.limited'))
  if (!close) throw configError('pathTaken', { path: values.path })
  return close
}

/** `{origin, data}` is a message that another page has received; anything else asks for a page. */
async function handle(host: Host, msg: FlowMessage, send: Send): Promise<void> {
  const client = findClient(host.RED, host.config.client)
  const connection = await client.connect()
  const { payload } = msg
  if (isPlainObject(payload) && typeof payload.origin === 'string' && 'data' in payload) {
    return handOver(host, msg, send, allOrigins(client.settings, connection.baseUrl))
  }
  await makePage(host, msg, client.settings, connection)
  send([null, null, msg])
}

async function makePage(host: Host, msg: FlowMessage, client: ClientSettings, { baseUrl }: ApiClient): Promise<void> {
  const { RED, pages } = host
  const { values, problems } = await host.read(msg)
  const token = pages.add(pageFor({ RED, msg, values, problems, client, baseUrl }))
  msg.embedUrl = publicAddress(RED, values.publicUrl, `${values.path}/${token}`)
  showCount(host)
}

/** A message from the person's own page: checked, sent on, and confirmed like one of ours. */
async function handOver(host: Host, msg: FlowMessage, send: Send, origins: readonly string[]): Promise<void> {
  const { origin, data } = msg.payload as { origin: string; data: unknown }
  if (origins.length === 0) throw configError('origins')
  if (!origins.includes(origin))
    throw inputError([{ path: 'payload.origin', key: 'unknownOrigin', params: { origin } }])
  const message = readWebMessage(data)
  if (!message) throw inputError([{ path: 'payload.data', key: 'webMessage' }])
  // Whatever the message says it is about is asked for: its page is not ours, so there is nothing else to compare with.
  await tell(host, msg, message, {}, send)
}

/** A message from one of our pages. Never rejects: there is no input message that could carry the error. */
async function received(host: Host, page: Page, message: WebMessage): Promise<void> {
  const { RED, node, pages } = host
  const base = () => RED.util.cloneMessage(page.msg)
  try {
    const again = page.done
    const confirmed = await tell(host, base(), message, page, (messages) => node.send(messages), again)
    if (!confirmed || message.type === 'sign_error') return
    pages.finish(page)
    showCount(host)
  } catch (thrown) {
    // When the node is closed too: the page has been told that its message arrived, and nothing else would say that it goes no further.
    node.error(fail(host, thrown), base())
  }
}

/** Output 1, and for final messages output 2 after asking the service. True when the service has confirmed the end. */
async function tell(
  host: Host,
  msg: FlowMessage,
  message: WebMessage,
  subject: Subject,
  send: Send,
  again = false,
): Promise<boolean> {
  const { RED, closing } = host
  const payload = payloadOf(message, subject)
  const { documentId, sessionId } = payload
  Object.assign(msg, { payload }, documentId !== undefined && { documentId }, sessionId !== undefined && { sessionId })
  const second = RED.util.cloneMessage(msg)
  send([msg, null, null])
  if (again || !isFinal(message)) return false
  const { confirmed, status, answer } = await confirm(asker(host), message, subject, closing.signal)
  closing.signal.throwIfAborted()
  Object.assign(second, { confirmed, status, statusCode: answer?.status, requestId: answer?.requestId })
  send([null, { ...second, payload: { ...payload, confirmed } }, null])
  return confirmed
}

interface Told {
  type: string
  payload?: unknown
  documentId?: string
  sessionId?: string
}

function payloadOf({ kind, type, payload, claimed }: WebMessage, { documentId, sessionId }: Subject): Told {
  const about = kind === 'session' ? { sessionId: sessionId ?? claimed } : { documentId: documentId ?? claimed }
  const known = Object.fromEntries(Object.entries(about).filter(([, id]) => id !== undefined))
  return { type, ...(payload !== undefined && { payload }), ...known }
}

function asker({ RED, config, closing }: Host): Ask {
  return async (operation, options) => {
    const client = findClient(RED, config.client)
    const connection = await client.connect()
    const timeout = timeoutFor(RED, client, undefined)
    return connection.send(operation, { signal: closing.signal, timeout, ...options })
  }
}

function showCount({ status, pages, translate, closing }: Host): void {
  if (closing.signal.aborted) return
  const count = pages.count()
  if (count === 0) return status.rest()
  status.show({ fill: 'green', shape: 'dot', text: translate(count === 1 ? 'status.page' : 'status.pages', { count }) })
}

function fail({ translate, status, closing }: Host, thrown: unknown) {
  const error = toEidError(thrown, translate)
  if (!closing.signal.aborted) status.show({ fill: 'red', shape: 'ring', text: briefly(error, translate) })
  return error
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
