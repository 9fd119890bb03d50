/**
 * Receives the calls of the service's webhooks: checks the signature, responds at once, and sends every event into the
 * flow once (`docs/interface.md` 4.9).
 */
import { configError, inputError } from '../../lib/api/errors/errors'
import type { Values } from '../../lib/settings/fields'
import { flagOf } from '../../lib/settings/flag'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import type { Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import { isShared, isReportedByStore, openNodeStore, orClose, reportFailures } from '../../lib/runtime/node/node-store'
import { publicAddress } from '../../lib/runtime/http/public-address'
import { createPublicRoutes, type PublicRoutes, type RequestHandler } from '../../lib/runtime/http/public-routes'
import { refuseUnset } from '../../lib/runtime/values/values'
import { wakeByEvent } from '../../lib/runtime/monitor/wake'
import { createInbox, maxEvents, type Inbox } from './inbox'
import { callMessage, receiveCall, type Trust } from './receive-call'
import { createLock } from './lock'
import { createRegistration, type Registration } from './registration'
import { errorStatus } from '../../lib/runtime/node/status'
import { credentials, fields } from './webhook.fields'

export = (RED: Runtime): void => {
  const routes = createPublicRoutes(RED, ['post'], { type: 'eid-webhook', initialPath: fields.path.initial })
  registerLiveNode(RED, 'eid-webhook', fields, (live) => open(live, routes), { credentials })
}

type Live = LiveNode<typeof fields>

/** Reads the settings and opens the path. Rejects with an EidError. */
async function open(live: Live, routes: PublicRoutes): Promise<LiveBehaviour> {
  const { RED, node, translate, status } = live
  if (RED.settings.httpNodeRoot === false) throw configError('noHttp')
  const { values, problems } = await live.read({})
  if (values.register && values.publicUrl && !URL.canParse(values.publicUrl)) {
    problems.push({ path: 'publicUrl', key: 'url' })
  }
  if (problems.length > 0) throw inputError(problems)
  const secrets = secretsOf(node)
  let registration: Registration | undefined
  let registered = false
  const register = async (what: 'begin' | 'register' | 'ping') => {
    await tell(live, registration, what)
    registered = true
  }
  // If the registration failed while the database was down, it is repeated now.
  const back = () => {
    if (registration && !registered)
      void register('begin').catch((error: unknown) => live.closing.aborted || reportFailures(live)(error))
  }
  const inbox = openInbox(live, back)
  const handler = handlerFor(live, { header: values.header, secrets }, inbox)
  const unmount = await orClose(inbox, () =>
    routes.mount(node, values.path, handler, () => show(live, 'red', 'reasons.tooMany')),
  )
  // A fixed password protects all paths, so it rejects the service's calls. If `httpNodeAuth` is a function, it may let
  // this path through.
  if (isPlainObject(RED.settings.httpNodeAuth)) {
    node.warn(translate('warnings.password', { path: publicAddress(RED, '', values.path) }))
  }
  if (secrets.length === 0) status.setResult(errorStatus(translate('reasons.noSecret')))
  status.rest()
  if (values.register) registration = registrationOf(live, values, secrets[0] ?? '')
  return {
    start() {
      inbox.start()
      return registration && register('begin').catch(unlessTold)
    },
    async receive({ taken, done }) {
      await register(taken.topic === 'register' ? 'register' : 'ping')
      done()
    },
    async close() {
      unmount()
      await registration?.close()
      await inbox.close()
    },
  }
}

function unlessTold(error: unknown): void {
  if (!isReportedByStore(error)) throw error
}

function openInbox(live: Live, back: () => void): Inbox {
  const store = openNodeStore(live, { kind: 'events', maxItems: maxEvents, back })
  const { shared, register, client } = live.config
  const own = isShared(live)
    ? { shared: String(shared), wake: (ids: readonly string[]) => store.makeDue(ids) }
    : undefined
  // Only a node that registers has a client of its own.
  const about = flagOf(register) === true ? String(client ?? '') : ''
  return createInbox({
    store,
    deliver(event, redelivered) {
      void wakeByEvent(live.RED, about, event, own).catch(reportFailures(live))
      enter(live, event, redelivered)
    },
    failed: (error, event) => reportFailures(live)(error, event && callMessage(event)),
  })
}

/** Returns the secrets that are filled in. Throws EID_CONFIG if a secret is still `${NAME}`. */
function secretsOf({ credentials = {} }: RuntimeNode): string[] {
  return Object.keys(credentials).flatMap((name) => {
    const secret = credentials[name] ?? ''
    refuseUnset(name, secret)
    return secret === '' ? [] : [secret]
  })
}

function handlerFor(live: Live, trust: Trust, inbox: Inbox): RequestHandler {
  return (request, response, rest) => {
    if (rest.length > 0) return void response.status(404).end()
    const take = async () => {
      const received = await receiveCall(request, trust)
      if (!('event' in received)) {
        if (received.code === 408) response.set({ Connection: 'close' })
        response.status(received.code).end()
        return show(live, 'red', `reasons.${received.reason}`)
      }
      // A node that is being closed accepts no more events, because it could lose them.
      if (live.closing.aborted) return void response.status(503).end()
      const letIn = await admit(live, inbox, received.event, received.knownBy)
      response.status(received.code).end()
      letIn()
    }
    take().catch((thrown: unknown) => {
      if (!response.headersSent) response.status(503).end()
      reportFailures(live)(thrown)
    })
  }
}

/** Stores a new event, and returns what to do with the event once the service has got its response. */
async function admit(live: Live, inbox: Inbox, event: PlainObject, knownBy: string): Promise<() => void> {
  if (event.type === 'ping') return () => show(live, 'green', 'status.pinged')
  return (await inbox.take(knownBy, event)) ?? (() => show(live, 'green', 'status.repeated'))
}

function enter(live: Live, event: PlainObject, redelivered: boolean): void {
  show(live, 'green', 'status.received', { type: String(event.type ?? '') })
  live.node.send({ ...callMessage(event), ...(redelivered && { redelivered }) })
}

function registrationOf(live: Live, values: Values<typeof fields>, secret: string): Registration {
  const store = isShared(live) ? openNodeStore(live, { kind: 'registration' }) : undefined
  return createRegistration({
    lock: store && createLock(store, live.closing),
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

async function tell(
  live: Live,
  registration: Registration | undefined,
  what: 'begin' | 'register' | 'ping',
): Promise<void> {
  if (!registration) throw inputError([{ path: 'register', key: 'notRegistering' }])
  await registration[what]()
  if (what !== 'ping') show(live, 'green', 'status.registered')
}

function show(live: Live, fill: 'green' | 'red', key: string, params?: Record<string, string>): void {
  if (live.closing.aborted) return
  const text = live.translate(key, params)
  live.status.setResult(fill === 'red' ? errorStatus(text) : { fill, shape: 'dot', text })
  live.status.rest()
}
