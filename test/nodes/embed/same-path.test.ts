/** "embed" with the path of a node that runs already: that node keeps its path, whichever of the two starts first. */
import should from 'should'
import node from '../../../nodes/embed/embed'
import { dismissError, listErrors } from '../../support/errors'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'
import { sentence } from '../../support/wording'

describe('embed with the path of another node', () => {
  let service: Service
  let site: PublicSide
  const start = (settings: object, older: object) =>
    startFlow({
      type: 'eid-embed',
      module: node,
      modules: [site.module],
      outputs: 3,
      settings: { url: 'url', ...settings },
      client: { baseUrl: service.url },
      more: [{ id: 'old', z: 'f', type: 'eid-embed', client: 'c', url: 'url', wires: [[], [], ['out2']], ...older }],
    })

  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  /** The address of the page that this node makes. A full deploy replaces the nodes that collect messages. */
  const madeBy = (flow: Flow, id: string) =>
    new Promise<string>((resolve) => {
      flow.node('out2').on('input', ({ embedUrl }: FlowMessage) => resolve(String(embedUrl)))
      flow.send({ url: `${service.url}/sign`, documentId: 'd' }, id)
    })

  it('is refused after a full deploy, and the older page stays', async () => {
    dismissError()
    const flow = await start({ path: '/new' }, { path: '/eid/sign', name: 'Signing page' })
    await flow.redeploy({ path: 'eid/sign/' }, 'n', 'full')
    await until(() => listErrors().length > 0)
    should(listErrors().map(({ node: { id }, text }) => [id, text])).deepEqual([
      [
        'n',
        `${sentence('client', 'problems.pathOfNode', { path: 'Path', address: '/eid/sign', node: 'Signing page', flow: 'test' })}. Nothing was sent.`,
      ],
    ])
    should(await madeBy(flow, 'old')).match(/^\/eid\/sign\//)
  })

  it('is kept when the node that once had it is enabled again', async () => {
    const flow = await start({ path: '/eid/sign' }, { path: '/eid/sign' })
    // The flow's own node is not there meanwhile, of which the helper complains.
    await should(flow.redeploy({ d: true }, 'n', 'full')).be.rejectedWith(/no node n/)
    should(await madeBy(flow, 'old')).match(/^\/eid\/sign\//)
    await flow.redeploy({}, 'n', 'full')
    should(await madeBy(flow, 'old')).match(/^\/eid\/sign\//)
  })

  it('is taken after all when the other node has given the path away', async () => {
    const flow = await start({ path: '/new' }, { path: '/eid/sign' })
    await flow.redeploy({ path: '/elsewhere' }, 'old', 'full')
    await flow.redeploy({ path: '/eid/sign' }, 'n', 'full')
    should(await madeBy(flow, 'n')).match(/^\/eid\/sign\//)
  })
})
