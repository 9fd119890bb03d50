/**
 * Settings that no form can make: a node with such settings still accepts messages, and ends each with at most one of
 * our errors.
 */
import fc from 'fast-check'
import should from 'should'
import { fieldsOf, onCanvas } from '../support/house'
import { startFlow, removeFlow } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import { startService, type Service } from '../support/service'
import type { NodeModuleLike } from '../support/node-types'
import { endOf, shouldBeClean, watchRejections } from '../support/hostile'

/** Values that a flow file can contain, which are those of JSON. */
const stored = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '${EID_NOT_SET}',
    '$(',
    '__proto__',
    '..',
    '\ud800',
    '[',
    '{',
    '$$$(',
  ),
  fc.constantFrom<unknown>(
    [],
    [null],
    [[]],
    [1, 'a', {}],
    {},
    { length: 1 },
    { constructor: { prototype: { polluted: 1 } } },
  ),
  fc.constantFrom(
    'str',
    'num',
    'bool',
    'json',
    'jsonata',
    'msg',
    'flow',
    'global',
    'env',
    'date',
    'bin',
    're',
    'form',
    'auto',
    'days',
    'path',
  ),
  // The test helper loses `__proto__` when it compares flows. Node-RED itself converts every setting to a text.
  fc.jsonValue({ maxDepth: 3 }).filter((value) => !/__proto__|toString|valueOf/.test(JSON.stringify(value))),
)

describe('hostile settings', () => {
  let service: Service
  let site: PublicSide
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

  for (const name of ['client', ...onCanvas]) {
    it(`leave ${name} with one end for each message`, async () => {
      const { default: module } = (await import(`../../nodes/${name}/${name}`)) as { default: NodeModuleLike }
      const { default: document } = (await import('../../nodes/document/document.js')) as { default: NodeModuleLike }
      const fields = Object.entries(await fieldsOf(name))
      const places = fields.flatMap(([field, { kind }]) =>
        kind === 'config' || field === 'baseUrl' || field === 'environment'
          ? []
          : [field, `${field}Type`, `${field}Rows`],
      )
      const settings = fc.dictionary(fc.constantFrom(...places), stored, { minKeys: 1, maxKeys: 4 })
      await fc.assert(
        fc
          .asyncProperty(settings, async (some) => {
            const client = { baseUrl: service.url }
            const flow =
              name === 'client'
                ? await startFlow({ type: 'eid-document', module: document, client: { ...some, ...client } })
                : await startFlow({
                    type: `eid-${name}`,
                    module,
                    settings: some,
                    outputs: 3,
                    modules: [site.module],
                    client,
                  })
            // A list ends only when its rows have come back, which they do not in this flow.
            const isList = () => name === 'batch' && flow.waiting().out > 0
            await endOf(flow, { payload: {}, documentId: 'doc-1' }, (end) => end.documentId === 'doc-1', isList)
            shouldBeClean()
            should(rejections.take()).deepEqual([])
          })
          .afterEach(removeFlow),
        { numRuns: 20, endOnFailure: true },
      )
    })
  }

  it('name what is not a text', async () => {
    const { default: module } = (await import('../../nodes/request/request.js')) as { default: NodeModuleLike }
    const flow = await startFlow({
      type: 'eid-request',
      module,
      settings: { method: [] },
      client: { baseUrl: service.url },
    })
    const { error } = await endOf(flow, {})
    should(error).have.property('code', 'EID_INVALID_INPUT')
    should(error?.message).containEql('Method')
  })

  it('may contain rows that are not rows', async () => {
    const { default: module } = (await import('../../nodes/create-document/create-document.js')) as {
      default: NodeModuleLike
    }
    const settings = { signersRows: [null], signersType: 'form' }
    const flow = await startFlow({ type: 'eid-create-document', module, settings, client: { baseUrl: service.url } })
    should((await endOf(flow, {})).error).have.property('code', 'EID_INVALID_INPUT')
  })
})
