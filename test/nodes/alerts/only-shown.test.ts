/** Which errors count as handled because a Catch node received them. */
import should from 'should'
import type { NodeConfig, Runtime } from '../../../lib/runtime/node-red/node-red'
import { createOnlyShown } from '../../../nodes/alerts/only-shown'

const host = (configs: readonly object[]) =>
  ({
    nodes: {
      eachNode: (take: (config: NodeConfig) => void) => configs.forEach((one) => take(one as NodeConfig)),
      getNode: (id: string) => configs.find((one) => (one as NodeConfig).id === id) ?? null,
    },
  }) as unknown as Runtime
const node = (id: string, type: string, wires: readonly string[] = [], more: object = {}) => ({
  id,
  type,
  z: 'f',
  wires: [wires],
  ...more,
})
const failed = node('d', 'eid-document')
const nodes = [
  failed,
  node('show', 'debug'),
  node('mail', 'e-mail'),
  node('dot', 'junction', ['show']),
  node('out', 'link out', [], { links: ['in'] }),
  node('in', 'link in', ['show', 'dot']),
  node('off', 'e-mail', ['mail'], { d: true }),
  node('alone', 'link out', [], { links: [] }),
]

const clock = { now: () => 0 }

describe('an error that a Catch node received', () => {
  const shown = (...catches: object[]) => createOnlyShown(host([...nodes, ...catches]), clock)('d')
  const whole = { scope: null }

  it('is only shown if all its Catch nodes lead to debug nodes only', () => {
    should(shown(node('one', 'catch', ['show'], whole))).be.true()
    should(shown(node('one', 'catch', ['dot', 'out'], whole))).be.true()
    should(shown(node('one', 'catch', ['show', 'off'], whole))).be.true()
    should(shown(node('one', 'catch', ['show'], { scope: ['d'] }), node('two', 'catch', ['dot'], whole))).be.true()
  })

  it('is handled if one of them leads to another node, or nowhere', () => {
    should(shown()).be.false()
    for (const wires of [[], ['alone'], ['show', 'mail']]) should(shown(node('one', 'catch', wires, whole))).be.false()
    for (const more of [{ scope: ['d'] }, { scope: 'group' }, { scope: null, uncaught: true }])
      should(shown(node('one', 'catch', ['show'], whole), node('two', 'catch', ['mail'], more))).be.false()
  })

  it('is not handled by a Catch node that does not receive it', () => {
    for (const more of [{ scope: ['show'] }, { scope: null, z: 'g' }, { scope: null, d: true }])
      should(shown(node('one', 'catch', ['show'], whole), node('two', 'catch', ['mail'], more))).be.true()
  })

  it('is judged by the new wires some seconds after a deploy, and is found out once until then', () => {
    let now = 0
    let asked = 0
    const flows = [...nodes, node('one', 'catch', ['show'], whole)]
    const counted = host(flows)
    const each = counted.nodes.eachNode.bind(counted.nodes)
    counted.nodes.eachNode = (take) => (asked++, each(take))
    const isOnlyShown = createOnlyShown(counted, { now: () => now })
    should([isOnlyShown('d'), isOnlyShown('d')]).deepEqual([true, true])
    const first = asked
    flows.push(node('two', 'catch', ['mail'], whole))
    should([isOnlyShown('d'), asked]).deepEqual([true, first])
    now = 10_000
    should(isOnlyShown('d')).be.false()
  })

  it('is handled if the node is in a subflow, where its Catch nodes are not known', () => {
    should(createOnlyShown(host([...nodes, node('one', 'catch', ['show'], whole)]), clock)('s-d')).be.false()
  })
})
