/** Hostile messages at every node: each ends exactly once, and an error says that nothing was sent. */
import fc from 'fast-check'
import should from 'should'
import { isTyped } from '../../lib/settings/fields'
import wait from '../../nodes/wait/wait'
import { fieldsOf, onCanvas } from '../support/house'
import { startFlow, removeFlow, type Flow } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import { startService, type Service } from '../support/service'
import type { NodeModuleLike } from '../support/node-types'
import { endOf, made, messagesOf, shouldBeClean, watchRejections } from '../support/hostile'

/** Properties that nodes read by default. */
const usual = [
  'payload',
  'topic',
  'documentId',
  'sessionId',
  'shareId',
  'depositId',
  'eventId',
  'externalId',
  'content',
].concat(['files', 'filename', 'uploaded', 'requestTimeout', '_msgid', 'req', 'res', 'parts', 'error'])

/** Whether the value has rows; a revoked proxy has none. */
function isList(value: unknown): boolean {
  try {
    return Array.isArray(value) && value.length > 0
  } catch {
    return false
  }
}

describe('hostile messages', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  const rejections = watchRejections()

  before(async () => {
    service = await startService()
    site = await startPublicSide()
  })
  after(async () => {
    await service.close()
    await site.close()
  })
  afterEach(removeFlow)

  for (const name of onCanvas) {
    for (const all of [false, true]) {
      it(`${all ? 'from which all settings are taken' : 'with its usual settings'} end once at ${name}`, async () => {
        const fields = await fieldsOf(name)
        const typed = Object.keys(fields).filter((one) => fields[one] && isTyped(fields[one]))
        const fromMessage = Object.fromEntries(
          typed.flatMap((one) => [
            [one, one],
            [`${one}Type`, 'msg'],
          ]),
        )
        const { default: module } = (await import(`../../nodes/${name}/${name}`)) as { default: NodeModuleLike }
        const what = name === 'embed' ? 'auto' : 'document'
        const settings = { ...(all && fromMessage), what, pullInterval: '3600' }
        flow = await startFlow({
          type: `eid-${name}`,
          module,
          settings,
          outputs: 3,
          modules: [site.module],
          secrets: { secret: 's', users: 'ola long-enough' },
          client: { baseUrl: service.url, signatureOrigins: 'https://sign.example' },
        })
        await fc.assert(
          fc.asyncProperty(messagesOf(all ? [...usual, ...typed] : usual), async (make) => {
            service.sandbox.world.reset()
            const msg = make()
            // A list ends only when its rows have come back, which they do not in this flow.
            if (name === 'batch' && [msg.payload, msg.rows].some(isList)) return
            const { error } = await endOf(flow, msg)
            shouldBeClean()
            should(rejections.take()).deepEqual([])
            // If the service recorded no request, the web server itself answered, because the path was too long.
            if (error && error.cause.status === undefined && (await service.requests()).length === 0) {
              // A time limit from the message may be over before a request arrives.
              const tried = error.cause.attempts !== 0
              should(tried ? ['EID_TIMEOUT', 'EID_NETWORK'] : ['EID_INVALID_INPUT', 'EID_CONFIG']).containEql(
                error.code,
              )
              if (!tried) should(error.cause).have.property('outcome', 'not-done')
            }
          }),
          { numRuns: 20, endOnFailure: true },
        )
      })
    }
  }

  const refused: readonly [string, string, object, () => object][] = [
    [
      'an error of its own that Node-RED cannot read',
      'deposit-cancel',
      {},
      () => ({ error: Object.create(null) as object }),
    ],
    [
      'a request that goes round in circles',
      'share-create',
      { body: 'payload', bodyType: 'msg', title: 'Lease' },
      () => ({ payload: made.cyclic() }),
    ],
    [
      'a request whose body goes round in circles',
      'create-document',
      { body: 'payload', bodyType: 'msg', title: 'Lease' },
      () => ({ payload: made.cyclic() }),
    ],
    ['a request whose title cannot be read', 'share-create', {}, () => ({ payload: made['a throwing getter']() })],
    [
      'a web message that goes round in circles',
      'embed',
      {},
      () => ({ payload: { origin: 'https://sign.example', data: made.cyclic() } }),
    ],
    ['a number that cannot be read', 'wait', { timeout: 'payload', timeoutType: 'msg' }, () => ({ payload: [5] })],
    ['a request too deep to be copied', 'create-document', {}, () => ({ payload: made.deep() })],
  ]
  for (const [what, name, settings, make] of refused) {
    it(`are refused for ${what}`, async () => {
      const { default: module } = (await import(`../../nodes/${name}/${name}`)) as { default: NodeModuleLike }
      const client = { baseUrl: service.url, signatureOrigins: 'https://sign.example' }
      flow = await startFlow({ type: `eid-${name}`, module, settings, outputs: 3, modules: [site.module], client })
      await service.reset()
      const { error } = await endOf(flow, { ...make() })
      should(error).have.property('code', 'EID_INVALID_INPUT')
      should(error?.cause).have.property('outcome', 'not-done')
      should(await service.requests()).have.length(0)
      should(rejections.take()).deepEqual([])
    })
  }

  for (const requestTimeout of [Object.create(null) as unknown, Symbol('soon'), 10n, NaN, 1e308]) {
    it(`have no time limit in ${typeof requestTimeout}`, async () => {
      const client = { baseUrl: service.url, timeout: '' }
      flow = await startFlow({ type: 'eid-wait', module: wait, outputs: 3, client })
      const { error } = await endOf(flow, { documentId: 'nobody-has-this', requestTimeout })
      should(error).have.property('code', 'EID_NOT_FOUND')
    })
  }
})
