/** "Look now" and "Send again" when something happens to the error while the service is asked. */
import should from 'should'
import { nodeError } from '../../lib/api/errors/errors'
import { operations } from '../../lib/api/operations/operations'
import { generateKey } from '../../lib/common/generated-key'
import type { FlowMessage, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import type { Translate } from '../../lib/runtime/node-red/texts'
import {
  dismissError,
  keepErrors,
  listErrors,
  recordError,
  settleMessage,
  type ErrorEntry,
} from '../../lib/runtime/monitor/error-log'
import { keptMessage, takeMessage } from '../../lib/runtime/monitor/kept-messages'
import type { Store } from '../../lib/store/store'
import { createLook } from '../../plugins/sidebar/server/look'
import type { Told } from '../../plugins/sidebar/server/told'

const node = { id: 'create', type: 'eid-create-document', name: '', z: 'f' } as RuntimeNode
const asked = { client: 'c', service: 'https://live.example.com' }
const { method, path } = operations.createDocument

/**
 * A Node-RED whose client gets no answer until `press` lets it: then the service has no document. With `failsAfter`, the
 * service can't be reached after that many answers.
 */
function startHeld(failsAfter = Infinity) {
  const received: FlowMessage[] = []
  const held: (() => void)[] = []
  let answers = 0
  const answer = () =>
    ++answers > failsAfter
      ? Promise.reject(nodeError('EID_NETWORK', 'errors.EID_NETWORK', {}, { outcome: 'not-done' }))
      : Promise.resolve({ data: { data: [] } })
  const send = () => new Promise((resolve) => held.push(() => resolve(answer())))
  const nodes: Record<string, object> = {
    c: { settings: { service: asked.service }, connect: () => Promise.resolve({ send }) },
    create: { receive: (msg: FlowMessage) => received.push(msg) },
  }
  const { look, sendAgain } = createLook({ nodes: { getNode: (id: string) => nodes[id] } } as unknown as Runtime)
  /** Presses the button, and lets `meanwhile` happen before the service answers. */
  const press = async (button: typeof look, id: string, meanwhile: () => void) => {
    const told = button(id)
    while (held.length === 0) await new Promise(setImmediate)
    meanwhile()
    let isOver = false
    const over = told.finally(() => (isOver = true))
    // A button may ask the service twice.
    while (!isOver) {
      held.shift()?.()
      await new Promise(setImmediate)
    }
    return keyOf(await over)
  }
  return { received, look, sendAgain, press }
}

/** The key of the sentence that a button says. */
const keyOf = ({ say }: Told) => say?.(((key: string) => key) as Translate)

describe('an error that changes while the service is asked about it', () => {
  const fingerprint = '0b84fec524ba3618'
  const key = generateKey(fingerprint)
  const fail = (code: 'EID_TIMEOUT' | 'EID_NETWORK' = 'EID_TIMEOUT', at = asked) => {
    const cause = { outcome: 'unknown', method, path, externalId: key } as const
    const error = nodeError(code, `errors.${code}`, { seconds: 1, reason: 'reset' }, cause)
    recordError(node, error, error, { _msgid: 'm-1', externalId: key }, { asked: at })
  }
  /** The flow creates the same document with another key. */
  const makeAnother = () => settleMessage(node, { _msgid: 'm-2', externalId: generateKey(fingerprint) }, asked)
  /** Makes the error older than a request can be under way; its message is gone, as after a restart. */
  const grow = async () => {
    const entries = listErrors().map((one) => ({ ...one, at: one.at - 1_200_000 }))
    dismissError()
    takeMessage()
    await keepErrors({
      get: () => Promise.resolve({ body: { entries } }),
      put: () => Promise.resolve(),
    } as unknown as Store)
  }
  const only = (): ErrorEntry => {
    const [entry, ...others] = listErrors()
    should(others).be.empty()
    if (!entry) throw new Error('There is no error.')
    return entry
  }
  beforeEach(() => {
    dismissError()
    takeMessage()
    fail()
  })
  after(() => {
    dismissError()
    takeMessage()
  })

  it('stays when it occurs again, although the flow has created the document with another key before', async () => {
    await grow()
    makeAnother()
    const { look, press } = startHeld()
    should(await press(look, only().id, () => fail())).equal('look.notYet')
    should(only()).have.properties({ count: 2, outcome: 'unknown' })
  })

  it('goes when it does not occur again and the flow has created the document with another key', async () => {
    await grow()
    const { look, press } = startHeld()
    should(await press(look, only().id, makeAnother)).equal('look.remade')
    should(listErrors()).be.empty()
  })

  it('is not called safe to send when it occurs again', async () => {
    const { look, press } = startHeld()
    should(await press(look, only().id, () => fail())).equal('look.notYet')
    should(only()).have.property('found', undefined)
  })

  it('is not said to be without a document when its own message has passed the node', async () => {
    const { look, press } = startHeld()
    const pass = () => settleMessage(node, { _msgid: 'm-1', externalId: key }, asked)
    should(await press(look, only().id, pass)).equal('gone')
  })

  it('is not sent again when the flow has created the document meanwhile', async () => {
    const { sendAgain, press, received } = startHeld()
    should(await press(sendAgain, only().id, makeAnother)).equal('look.notYet')
    should(received).be.empty()
    should(only()).have.property('remade', true)
  })

  it('stays while its request may still arrive, when it occurred again after the flow had created the document', async () => {
    makeAnother()
    fail()
    const { look, press } = startHeld()
    should(await press(look, only().id, () => undefined)).equal('look.notYet')
    should(only()).have.properties({ count: 2, found: undefined, remade: true })
  })

  it('offers no second document either when the same message fails once more with another sentence', async () => {
    makeAnother()
    fail('EID_NETWORK')
    const [latest, first] = listErrors()
    should([latest?.code, first?.code]).deepEqual(['EID_NETWORK', 'EID_TIMEOUT'])
    should(latest).have.property('remade', true)
    const id = latest?.id ?? ''
    should(keptMessage(id)).be.undefined()
    const { look, sendAgain, press, received } = startHeld()
    should(await press(look, id, () => undefined)).equal('look.notYet')
    await press(sendAgain, id, () => undefined)
    should(received).be.empty()
  })

  it('can be sent again at another service, where the flow has not created the document', () => {
    makeAnother()
    fail('EID_TIMEOUT', { ...asked, service: 'https://test.example.com' })
    const [latest] = listErrors()
    should(latest).not.have.property('remade')
    should(keptMessage(latest?.id ?? '')).have.property('externalId', key)
  })

  it('keeps no message when the flow has created the document, and the service is then out of reach', async () => {
    const { sendAgain, press, received } = startHeld(1)
    should(await press(sendAgain, only().id, makeAnother)).equal('errors.EID_NETWORK')
    should(keptMessage(only().id)).be.undefined()
    const { look, press: pressAgain } = startHeld()
    should(await pressAgain(look, only().id, () => undefined)).equal('look.notYet')
    should(only()).have.property('remade', true)
    should(received).be.empty()
  })

  it('is sent again when nothing has happened meanwhile', async () => {
    const { sendAgain, press, received } = startHeld()
    should(await press(sendAgain, only().id, () => undefined)).equal('look.sent')
    should(received).match([{ externalId: key }])
    should(listErrors()).be.empty()
  })
})
