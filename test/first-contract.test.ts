/** The first example, which README's five steps build by hand: from the button to the signed file. */
import should from 'should'
import { deployFlows, startNodeRed, type NodeRed } from './browser/harness'
import { read } from './house'
import { until } from './time'

type Node = { readonly id: string; readonly type: string; readonly name?: string }

const flow = JSON.parse(read('examples', '00-my-first-contract.json')) as Node[]

describe('the first contract', function () {
  this.timeout(60_000)
  let red: NodeRed
  const printed = (name: string) => red.output().split(`[debug:${name}]`)[1]

  before(async () => {
    red = await startNodeRed()
    await deployFlows(
      red,
      flow.map((node) => (node.type === 'debug' ? { ...node, console: true } : node)),
    )
  })
  after(() => red.stop())

  it('comes out signed when the signer has used the link that is shown', async () => {
    const button = flow.find(({ type }) => type === 'inject')
    await fetch(`${red.url}/inject/${button?.id}`, { method: 'POST' })
    await until(() => printed('sign here') !== undefined, 20)
    const [link = ''] = /http\S+/.exec(printed('sign here') ?? '') ?? []
    const sign = link.replace(/\/sign\/start\?jwt=([^&]+).*/, '/sign/$1/sign')
    const headers = { 'Content-Type': 'application/json' }
    should((await fetch(sign, { method: 'POST', headers, body: '{}' })).ok).be.true()
    await until(() => printed('finished') !== undefined, 30)
    should(printed('finished')).match(/Buffer|%PDF/)
  })

  it('is what README builds, node by node', () => {
    const [, steps = ''] = read('README.md').split('## A first flow in five steps')
    const [first = ''] = steps.split('\n2. ')
    const named = [...first.matchAll(/\*\*([a-z ]+)\*\*/g)].map(([, name]) => name)
    should(named).deepEqual(['inject', 'create document', 'wait', 'document', 'debug', 'debug'])
    const types = ['inject', 'eid-create-document', 'eid-wait', 'eid-document', 'debug', 'debug']
    should(
      flow
        .filter(({ name }) => name !== 'problem')
        .map(({ type }) => type)
        .filter((type) => types.includes(type)),
    ).deepEqual(types)
  })
})
