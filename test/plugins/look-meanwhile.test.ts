/** "Look now" and "Send again" when something happens to the error while the service is asked. */
import should from 'should'
import { nodeError } from '../../lib/api/errors/errors'
import { operations } from '../../lib/api/operations/operations'
import { generateKey } from '../../lib/common/generated-key'
import { errorsOf } from '../../lib/runtime/journal/errors'
import type { ErrorEntry } from '../../lib/runtime/monitor/error-entry'
import type { FlowMessage, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import type { Translate } from '../../lib/runtime/node-red/texts'
import { createLook } from '../../plugins/sidebar/server/look'
import type { Told } from '../../lib/runtime/people/told'
import { dismissError, failIn, listErrors, passIn, RED } from '../support/errors'

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
  const { look, sendAgain } = createLook({
    ...RED,
    nodes: { getNode: (id: string) => nodes[id] },
  } as unknown as Runtime)
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
  const about = {
    asked,
    fields: { title: { kind: 'string', initial: '', type: 'str', required: true } } as const,
    values: { title: 'Lease' },
  }
  const fail = (externalId = key) => {
    const cause = { outcome: 'unknown', method, path, externalId } as const
    const error = nodeError('EID_TIMEOUT', 'errors.EID_TIMEOUT', { seconds: 1 }, cause)
    failIn(node, error, { _msgid: 'm-1', externalId }, about)
  }
  /** The flow creates the same document with another key. */
  const makeAnother = () => passIn(node, { _msgid: 'm-2', externalId: generateKey(fingerprint) }, about)
  const only = (): ErrorEntry => {
    const [entry, ...others] = listErrors()
    should(others).be.empty()
    if (!entry) throw new Error('There is no error.')
    return entry
  }
  beforeEach(() => {
    dismissError()
    fail()
  })
  after(() => void dismissError())

  it('is sent again when nothing has happened meanwhile, and is gone when that succeeds', async () => {
    const { sendAgain, press, received } = startHeld()
    should(await press(sendAgain, only().id, () => undefined)).equal('look.sent')
    should(received).match([{ externalId: key }])
    passIn(node, received[0] ?? {}, about)
    should(listErrors()).be.empty()
  })

  it('is not called safe to send when it occurs again', async () => {
    const { look, press } = startHeld()
    should(await press(look, only().id, () => fail())).equal('look.notYet')
    should(only()).match({ count: 2, outcome: 'unknown' }).and.not.have.property('found')
  })

  it('is not said to be without a document when its own message has passed the node', async () => {
    const { look, press } = startHeld()
    const pass = () => passIn(node, { _msgid: 'm-1', externalId: key }, about)
    should(await press(look, only().id, pass)).equal('gone')
  })

  it('stays unknown and is not sent again when the flow has created the document with another key meanwhile', async () => {
    const { sendAgain, press, received } = startHeld()
    should(await press(sendAgain, only().id, makeAnother)).equal('look.notYet')
    should(received).be.empty()
    should(only()).have.property('outcome', 'unknown')
    should(errorsOf(RED).message(only().id)).be.undefined()
  })

  it('says that the look has failed, and nothing about what was done, while the service is down', async () => {
    const { look, press } = startHeld(0)
    const [before] = listErrors()
    should(await press(look, only().id, () => undefined)).equal('look.away')
    should(only()).deepEqual(before)
  })

  it('with a key of a person is known to be without a document at once, also without its message', async () => {
    dismissError()
    fail('lease-1')
    errorsOf(RED).takeMessage(only().id)
    const { look, press } = startHeld()
    should(await press(look, only().id, () => undefined)).equal('look.absentMessageGone')
    should(only()).match({ outcome: 'not-done', found: 'absent' })
    passIn(node, { externalId: 'lease-1' }, about)
    should(listErrors()).be.empty()
  })
})
