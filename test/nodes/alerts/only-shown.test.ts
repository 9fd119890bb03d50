/** Which errors count as handled because a Catch node received them. */
import should from 'should'
import type { NodeConfig, Runtime } from '../../../lib/runtime/node-red/node-red'
import { isOnlyShown } from '../../../nodes/alerts/only-shown'

const host = (configs: readonly object[]) =>
  ({
    nodes: {
      eachNode: (take: (config: NodeConfig) => void) => configs.forEach((one) => take(one as NodeConfig)),
      getNode: (id: string) => configs.find((one) => (one as NodeConfig).id === id) ?? null,
    },
  }) as unknown as Runtime
const node = (id: string, type: string, wires: readonly string[] = [], more: object = {}) => ({
  ...{ id, type, z: 'f', wires: [wires] },
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
]

describe('an error that a Catch node received', () => {
  const shown = (...catches: object[]) => isOnlyShown(host([...nodes, ...catches]), 'd')
  const whole = { scope: null }

  it('is only shown if all its Catch nodes lead to debug nodes only', () => {
    should(shown(node('one', 'catch', ['show'], whole))).be.true()
    should(shown(node('one', 'catch', ['dot', 'out'], whole))).be.true()
    should(shown(node('one', 'catch', ['show'], { scope: ['d'] }), node('two', 'catch', ['dot'], whole))).be.true()
  })

  it('is handled if one of them leads to another node, or nowhere', () => {
    should(shown(node('one', 'catch', [], whole))).be.false()
    should(shown(node('one', 'catch', ['show', 'mail'], whole))).be.false()
    should(shown(node('one', 'catch', ['show'], whole), node('two', 'catch', ['mail'], { scope: ['d'] }))).be.false()
    should(shown(node('one', 'catch', ['show'], whole), node('two', 'catch', ['mail'], { scope: 'group' }))).be.false()
  })

  it('is not handled by a Catch node that does not receive it', () => {
    const mail = (more: object) => node('two', 'catch', ['mail'], { ...whole, ...more })
    for (const more of [{ scope: ['show'] }, { z: 'g' }, { d: true }, { uncaught: true }])
      should(shown(node('one', 'catch', ['show'], whole), mail(more))).be.true()
    should(shown(mail({ uncaught: true }))).be.false()
  })

  it('is handled if the node is in a subflow, where its Catch nodes are not known', () => {
    should(isOnlyShown(host([...nodes, node('one', 'catch', ['show'], whole)]), 's-d')).be.false()
  })
})
