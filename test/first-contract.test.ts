/**
 * The first example is the flow that a reader builds in README's five steps; it runs from the button to the signed
 * file.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { deployFlows, startNodeRed, type NodeRed } from './support/node-red/editor'
import { read, readExample } from './support/house'
import { temporaryFolder } from './support/temporary-folder'
import { until } from './support/time'

type Node = { readonly id: string; readonly type: string; readonly name?: string }

const flow = JSON.parse(readExample('My first contract')) as Node[]

describe('the first contract', () => {
  let red: NodeRed
  const files = temporaryFolder()
  const printed = (name: string) => red.output().split(`[debug:${name}]`)[1]

  before(async () => {
    red = await startNodeRed({ settings: { fileWorkingDirectory: files.path } })
    await deployFlows(
      red,
      flow.map((node) => (node.type === 'debug' ? { ...node, console: true } : node)),
    )
  })
  after(() => red.stop())
  after(() => files.remove())

  it('comes out signed when the signer has used the link that is shown', async () => {
    const button = flow.find(({ type }) => type === 'inject')
    await fetch(`${red.url}/inject/${button?.id}`, { method: 'POST' })
    await until(() => printed('sign here') !== undefined)
    const [link = ''] = /http\S+/.exec(printed('sign here') ?? '') ?? []
    const sign = link.replace(/\/sign\/start\?jwt=([^&]+).*/, '/sign/$1/sign')
    const headers = { 'Content-Type': 'application/json' }
    should((await fetch(sign, { method: 'POST', headers, body: '{}' })).ok).be.true()
    await until(() => printed('finished') !== undefined)
    const file = readFileSync(join(files.path, 'contracts', 'Rental agreement.pdf'), 'latin1')
    should(file).startWith('%PDF')
  })

  it('shows each way in which a contract ends', () => {
    const [wait] = flow.filter(({ type }) => type === 'eid-wait') as (Node & { wires: string[][] })[]
    should(wait?.wires.map((targets) => targets.length)).deepEqual([1, 1, 1])
    const [, second, third] = wait?.wires.map(([id]) => flow.find((node) => node.id === id)?.name) ?? []
    should([second, third]).deepEqual(['not signed', 'not signed'])
  })

  it('is what README builds, node by node', () => {
    const [, steps = ''] = read('README.md').split('## Your first contract')
    const [own = ''] = steps.split('## The nodes')
    const types: Record<string, string> = { 'create document': 'eid-create-document', inject: 'inject', debug: 'debug' }
    const named = [...own.matchAll(/(?:Drag|Drop) \*\*([a-z ]+)\*\*(?: and \*\*([a-z ]+)\*\*)?/g)]
      .flatMap(([, one, other]) => [one, other])
      .flatMap((name) => (name ? [types[name] ?? `eid-${name}`] : []))
    // Besides these nodes, the example shows the link, the other ends and the problems.
    const helpers = ['sign here', 'not signed', 'problem', 'when something fails']
    const built = flow.filter(({ type, name }) => !helpers.includes(name ?? '') && !['tab', 'group'].includes(type))
    const shown = built.map(({ type }) => type).filter((type) => !['comment', 'eid-client'].includes(type))
    should(shown.sort()).deepEqual(named.sort())
  })
})
