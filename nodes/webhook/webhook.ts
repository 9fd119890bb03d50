/** Takes the calls of the service's webhooks: checks the signature, answers at once, lets every event in once (`docs/interface.md` 4.9). */
import { configError, inputError } from '../../lib/api/errors'
import { briefly, toEidError, toRefusal } from '../../lib/runtime/errors'
import { findClient, timeoutFor } from '../../lib/runtime/client-node'
import { isPlainObject } from '../../lib/runtime/body'
import { safeDone } from '../../lib/runtime/safe-done'
import { keepIn } from '../../lib/runtime/context'
import type {
  FlowMessage,
  HttpRequest,
  HttpResponse,
  NodeConfig,
  Runtime,
  RuntimeNode,
} from '../../lib/runtime/node-red'
import { createPacedStatus, type PacedStatus } from '../../lib/runtime/paced-status'
import { createPublicRoutes, publicAddress, type PublicRoutes } from '../../lib/runtime/public-routes'
import { createTranslate, type Translate } from '../../lib/runtime/texts'
import { createReader } from '../../lib/runtime/values'
import type { Values } from '../../lib/fields'
import { messageOf, receive, type Trust } from './receive'
import { createRegistration, type Registration } from './registration'
import { createSeen, type Seen } from './seen'
import { credentials, fields } from './webhook.fields'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['post'])
  RED.nodes.registerType(
    'eid-webhook',
    function (this: RuntimeNode, config: NodeConfig) {
      RED.nodes.createNode(this, config)
      const translate = createTranslate(RED, 'webhook', fields)
      start({
        RED,
        routes,
        node: this,
        config,
        translate,
        status: createPacedStatus(RED, this, translate, config.client),
      })
    },
    { credentials },
  )
}

interface Host {
  readonly RED: Runtime
  readonly routes: PublicRoutes
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly translate: Translate
  readonly status: PacedStatus
}

/** What a node has while it is live. */
interface Live {
  readonly seen: Seen
  /** Absent when the node is not to register itself. */
  readonly registration: Registration | undefined
  readonly endRoute: () => void
}

function start(host: Host): void {
  const { RED, node } = host
  const stop = new AbortController()
  const opening = open(host, stop.signal)
  // Before all nodes are there, no Catch node would see an error.
  const begin = () => {
    opening
      .then(({ registration }) => registration && tell(host, registration, 'register'))
      .catch((thrown: unknown) => {
        if (!stop.signal.aborted) node.error(fail(host, thrown), {})
      })
  }
  RED.events.once('flows:started', begin)
  node.on('input', (msg, _send, done) => {
    const end = safeDone(done, node, host.translate)
    opening
      .then(({ registration }) => tell(host, registration, msg.topic === 'register' ? 'register' : 'ping'))
      .then(
        () => end(),
        (thrown: unknown) => end(fail(host, toRefusal(thrown, host.translate))),
      )
  })
  node.on('close', (removed, done) => {
    RED.events.off('flows:started', begin)
    stop.abort()
    const close = ({ seen, endRoute }: Live) => {
      endRoute()
      return seen.close(removed)
    }
    void opening
      .then(close, () => undefined)
      .then(() => {
        host.status.clear()
        done()
      })
  })
}

/** Reads the settings and makes the path live. Rejects with an EidError. */
async function open(host: Host, signal: AbortSignal): Promise<Live> {
  const { RED, routes, node, config, translate, status } = host
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const { values, problems } = await createReader({ RED, node }, fields, config)({})
  if (values.register && values.publicUrl && !URL.canParse(values.publicUrl)) {
    problems.push({ path: 'publicUrl', key: 'url' })
  }
  if (problems.length > 0) throw inputError(problems, translate)
  const secrets = secretsOf(node)
  const keep = keepIn(RED, node, {
    store: values.store,
    place: 'events',
    failed: () => node.warn(translate('warnings.store')),
  })
  const seen = createSeen(keep, () => node.warn(translate('warnings.storeUnread')))
  const visit = visitFor(host, { header: values.header, secrets }, seen, signal)
  const endRoute = routes.open(values.path, visit, () => show(host, 'red', 'reasons.tooMany'))
  if (!endRoute) throw inputError([{ path: 'path', key: 'pathTaken' }], translate)
  // A function may let this path through; a password is asked for at all of them.
  if (isPlainObject(RED.settings.httpNodeAuth)) {
    node.warn(translate('warnings.password', { path: publicAddress(RED, '', values.path) }))
  }
  if (secrets.length === 0) status.result({ fill: 'red', shape: 'ring', text: translate('reasons.noSecret') })
  status.rest()
  const registration = values.register ? registrationOf(host, values, secrets[0] ?? '', signal) : undefined
  return { seen, registration, endRoute }
}

/** The secrets that are filled in. Throws EID_CONFIG when one still is `${NAME}`. */
function secretsOf({ credentials: given = {} }: RuntimeNode): string[] {
  return Object.keys(credentials).flatMap((name) => {
    const secret = given[name] ?? ''
    const left = /^\$[{(]([^}]+)[})]$/.exec(secret)
    if (left) throw configError('env', { field: name, name: left[1] ?? '' })
    return secret === '' ? [] : [secret]
  })
}

function visitFor(host: Host, trust: Trust, seen: Seen, signal: AbortSignal) {
  return (request: HttpRequest, response: HttpResponse, rest: readonly string[]): void => {
    if (rest.length > 0) return void response.status(404).end()
    const take = async () => {
      const received = await receive(request, trust)
      if (!('event' in received)) {
        if (received.code === 408) response.set({ Connection: 'close' })
        response.status(received.code).end()
        if (!signal.aborted) show(host, 'red', `reasons.${received.reason}`)
        return
      }
      const msg = messageOf(received.event)
      const entry = await admit(seen, msg, signal)
      // A node that ends has not taken it: the service delivers it again.
      response.status(entry === 'ended' ? 503 : received.code).end()
      if (entry !== 'ended') enter(host, msg, entry)
    }
    take().catch((thrown: unknown) => host.node.error(fail(host, thrown), {}))
  }
}

type Entry = 'ping' | 'fresh' | 'repeated' | 'ended'

/** What is to become of an event; when it is let in, it is remembered before the service is told so. */
async function admit(seen: Seen, { eventId, topic }: FlowMessage, signal: AbortSignal): Promise<Entry> {
  if (signal.aborted) return 'ended'
  if (topic === 'ping') return 'ping'
  if (typeof eventId !== 'string') return 'fresh'
  if (!(await seen.take(eventId))) return 'repeated'
  if (!signal.aborted) return 'fresh'
  seen.release(eventId)
  return 'ended'
}

/** Lets an event into the flow, unless it is a ping or was here before. */
function enter(host: Host, msg: FlowMessage, entry: Exclude<Entry, 'ended'>): void {
  if (entry === 'ping') return show(host, 'green', 'status.pinged')
  if (entry === 'repeated') return show(host, 'green', 'status.repeated')
  show(host, 'green', 'status.received', { type: String(msg.topic ?? '') })
  host.node.send(msg)
}

function registrationOf(host: Host, values: Values<typeof fields>, secret: string, signal: AbortSignal): Registration {
  const { RED, node, config } = host
  return createRegistration({
    name: values.name || node.id,
    url: publicAddress(RED, values.publicUrl, values.path),
    secret,
    events: values.events.split(/[\s,;]+/).filter(Boolean),
    async ask(operation, options = {}) {
      if (secret === '') throw inputError([{ path: 'secret', key: 'missing' }], host.translate)
      const client = findClient(RED, config.client)
      const connection = await client.connect()
      return connection.send(operation, { signal, timeout: timeoutFor(RED, client, undefined), ...options })
    },
  })
}

async function tell(host: Host, registration: Registration | undefined, what: keyof Registration): Promise<void> {
  if (!registration) throw inputError([{ path: 'register', key: 'notRegistering' }], host.translate)
  await registration[what]()
  if (what === 'register') show(host, 'green', 'status.registered')
}

function show({ status, translate }: Host, fill: 'green' | 'red', key: string, params?: Record<string, string>): void {
  status.result({ fill, shape: fill === 'red' ? 'ring' : 'dot', text: translate(key, params) })
  status.rest()
}

function fail(host: Host, thrown: unknown): Error {
  const error = toEidError(thrown, host.translate)
  host.status.result({ fill: 'red', shape: 'ring', text: briefly(error, host.translate) })
  host.status.rest()
  return error
}
