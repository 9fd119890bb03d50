/** Where wires and links lead: into subflows, out of them, and back. */
import should from 'should'
import { mayComeBack, mayLeadTo, nodesReachedFrom } from '../../../lib/runtime/node-red/reached-nodes'
import type { NodeConfig, Runtime, RuntimeNode } from '../../../lib/runtime/node-red/node-red'

const node = (id: string, wires: readonly (readonly string[])[], more: object = {}) =>
  ({ id, type: 'function', wires, ...more }) as unknown as NodeConfig
const host = (configs: readonly NodeConfig[]) =>
  ({
    nodes: {
      eachNode: (take: (config: NodeConfig) => void) => configs.forEach(take),
      getNode: (id: string) => (configs.some((one) => one.id === id) ? { id } : null),
    },
  }) as unknown as Runtime
const at = (id: string, more: object = {}) => ({ id, ...more }) as RuntimeNode

describe('where wires lead', () => {
  // The usual flow: a created document goes back to the list, and also to a wait.
  const usual = host([
    node('batch', [['create'], ['report']]),
    node('create', [['batch', 'wait']]),
    node('wait', [['archive'], ['told'], []]),
    node('archive', [[]]),
  ])

  it('is not back to the list from a wait beside the way', () => {
    should(mayLeadTo(usual, at('wait'), at('batch'))).be.false()
    should(mayLeadTo(usual, at('create'), at('batch'))).be.true()
    should([...nodesReachedFrom(usual, at('batch'))].sort()).deepEqual(['archive', 'create', 'told', 'wait'])
  })

  it('is back to the list from each output of a wait, and through links and other nodes', () => {
    for (const wires of [
      [['batch'], [], []],
      [[], [], ['batch']],
      [['far'], [], []],
      [[], ['out'], []],
    ]) {
      const flow = host([
        node('wait', wires),
        node('far', [['near']]),
        node('near', [['batch']]),
        node('out', [], { type: 'link out', links: ['in'] }),
        node('in', [['near']], { type: 'link in' }),
        node('batch', [['create']]),
      ])
      should(mayLeadTo(flow, at('wait'), at('batch'))).be.true(JSON.stringify(wires))
    }
  })

  it('is back to the list by a wire of the first output or by a Complete node, not by a report or a Catch node', () => {
    const flow = (batch: readonly (readonly string[])[], create: readonly string[], more: readonly NodeConfig[] = []) =>
      mayComeBack(host([node('batch', batch), node('create', [create]), ...more]), at('batch'))
    should(flow([['create'], []], ['batch'])).be.true()
    should(flow([['batch'], []], [])).be.true()
    should(flow([['create'], ['batch']], [])).be.false()
    should(flow([[], []], ['batch'])).be.false()
    const ends = (type: string, scope: readonly string[], to: string) => [node('end', [[to]], { type, scope })]
    should(flow([['create'], []], [], ends('complete', ['create'], 'batch'))).be.true()
    should(flow([['create'], []], [], ends('complete', ['other'], 'batch'))).be.false()
    should(flow([['create'], []], [], ends('complete', ['create'], 'other'))).be.false()
    should(flow([['create'], []], [], ends('catch', ['create'], 'batch'))).be.false()
    const called = [node('return', [], { type: 'link out', mode: 'return' })]
    should(flow([['create'], []], ['return'], called)).be.true()
  })

  it('may be back to the list when a flow returns to its caller, or out of a subflow', () => {
    const called = host([
      node('call', [['batch']], { type: 'link call', links: ['in'] }),
      node('in', [['wait']], { type: 'link in' }),
      node('wait', [['return']]),
      node('return', [], { type: 'link out', mode: 'return' }),
      node('batch', [['call']]),
    ])
    should(mayLeadTo(called, at('wait'), at('batch'))).be.true()
    const subflow = host([
      node('use', [['batch']], { type: 'subflow:sub' }),
      node('sub', [], { type: 'subflow', in: [{ wires: [{ id: 'wait' }] }] }),
      node('wait', [[]]),
      node('batch', [['use']]),
    ])
    should(mayLeadTo(subflow, at('use-wait', { _alias: 'wait', z: 'use' }), at('batch'))).be.true()
  })
})
