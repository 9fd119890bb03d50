/** Takes the calls of the service's webhooks: checks the signature, answers at once, lets every event in once (`docs/interface.md` 4.9). */
import { configError, inputError } from '../../lib/api/errors'
import type { Values } from '../../lib/fields'
import { isPlainObject } from '../../lib/runtime/body'
import { keepIn } from '../../lib/runtime/context'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/live-node'
import type { FlowMessage, Runtime, RuntimeNode } from '../../lib/runtime/node-red'
import { publicAddress } from '../../lib/runtime/public-address'
import { createPublicRoutes, type PublicRoutes, type RequestHandler } from '../../lib/runtime/public-routes'
import { createDeduplicator, type Deduplicator } from './deduplicator'
import { messageOf, receiveCall, type Trust } from './receive-call'
import { createRegistration, type Registration } from './registration'
import { credentials, fields } from './webhook.fields'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['post'])
  registerLiveNode(RED, 'eid-webhook', fields, (live) => open(live, routes), { credentials })
}

type Live = LiveNode<typeof fields>

/** Reads the settings and makes the path live. Rejects with an EidError. */
async function open(live: Live, routes: PublicRoutes): Promise<LiveBehaviour> {
  const { RED, node, translate, status } = live
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const { values, problems } = await live.read({})
  if (values.register && values.publicUrl && !URL.canParse(values.publicUrl)) {
    problems.push({ path: 'publicUrl', key: 'url' })
  }
  if (problems.length > 0) throw inputError(problems)
  const secrets = secretsOf(node)
  const deduplicator = openDeduplicator(live, values.store)
  const handler = handlerFor(live, { header: values.header, secrets }, deduplicator)
  const unmount = routes.mount(values.path, handler, () => show(live, 'red', 'reasons.tooMany'))
  // A function may let this path through; a password is asked for at all of them.
  if (isPlainObject(RED.settings.httpNodeAuth)) {
    node.warn(translate('warnings.password', { path: publicAddress(RED, '', values.path) }))
  }
  if (secrets.length === 0) status.setResult({ fill: 'red', shape: 'ring', text: translate('reasons.noSecret') })
  status.rest()
  const registration = values.register ? registrationOf(live, values, secrets[0] ?? '') : undefined
  return {
    start: () => registration && tell(live, registration, 'register'),
    async receive(msg, _send, done) {
      await tell(live, registration, msg.topic === 'register' ? 'register' : 'ping')
      done()
    },
    close(removed) {
      unmount()
      return deduplicator.close(removed)
    },
  }
}

function openDeduplicator({ RED, node, translate }: Live, store: string): Deduplicator {
  const failed = () => node.warn(translate('warnings.store'))
  const keep = keepIn(RED, node, { store, place: 'events', failed })
  return createDeduplicator(keep, () => node.warn(translate('warnings.storeUnread')))
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

function handlerFor(live: Live, trust: Trust, deduplicator: Deduplicator): RequestHandler {
  return (request, response, rest) => {
    if (rest.length > 0) return void response.status(404).end()
    const take = async () => {
      const received = await receiveCall(request, trust)
      if (!('event' in received)) {
        if (received.code === 408) response.set({ Connection: 'close' })
        response.status(received.code).end()
        return show(live, 'red', `reasons.${received.reason}`)
      }
      const msg = messageOf(received.event)
      const entry = await admit(deduplicator, msg, live.closing)
      // A node that ends has not taken it: the service delivers it again.
      response.status(entry === 'ended' ? 503 : received.code).end()
      if (entry !== 'ended') enter(live, msg, entry)
    }
    take().catch((thrown: unknown) => {
      if (!response.headersSent) response.status(500).end()
      live.node.error(live.fail(thrown), {})
    })
  }
}

type Entry = 'ping' | 'fresh' | 'repeated' | 'ended'

/** What is to become of an event; when it is let in, it is remembered before the service is told so. */
async function admit(
  deduplicator: Deduplicator,
  { eventId, topic }: FlowMessage,
  closing: AbortSignal,
): Promise<Entry> {
  if (closing.aborted) return 'ended'
  if (topic === 'ping') return 'ping'
  if (typeof eventId !== 'string') return 'fresh'
  if (!(await deduplicator.take(eventId))) return 'repeated'
  if (!closing.aborted) return 'fresh'
  deduplicator.release(eventId)
  return 'ended'
}

/** Lets an event into the flow, unless it is a ping or was here before. */
function enter(live: Live, msg: FlowMessage, entry: Exclude<Entry, 'ended'>): void {
  if (entry === 'ping') return show(live, 'green', 'status.pinged')
  if (entry === 'repeated') return show(live, 'green', 'status.repeated')
  show(live, 'green', 'status.received', { type: String(msg.topic ?? '') })
  live.node.send(msg)
}

function registrationOf(live: Live, values: Values<typeof fields>, secret: string): Registration {
  return createRegistration({
    name: values.name || live.node.id,
    url: publicAddress(live.RED, values.publicUrl, values.path),
    secret,
    events: values.events.split(/[\s,;]+/).filter(Boolean),
    async ask(operation, options) {
      if (secret === '') throw inputError([{ path: 'secret', key: 'missing' }])
      return live.send(operation, options)
    },
  })
}

async function tell(live: Live, registration: Registration | undefined, what: keyof Registration): Promise<void> {
  if (!registration) throw inputError([{ path: 'register', key: 'notRegistering' }])
  await registration[what]()
  if (what === 'register') show(live, 'green', 'status.registered')
}

function show(live: Live, fill: 'green' | 'red', key: string, params?: Record<string, string>): void {
  if (live.closing.aborted) return
  const shape = fill === 'red' ? 'ring' : 'dot'
  live.status.setResult({ fill, shape, text: live.translate(key, params) })
  live.status.rest()
}
