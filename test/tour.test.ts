/** The tour: once by itself when Node-RED starts, then by its button only, and on deposits of its own. */
import should from 'should'
import { read } from './house'
import { startRuntime, temporaryFolder, type NodeRedProcess } from './package/runtimes'
import { until } from './time'
import { linkPackage } from './user-folder'

type Node = { readonly id: string; readonly type: string; readonly name?: string }

const load = (name: string) => JSON.parse(read('examples', `${name}.json`)) as Node[]

describe('the tour', function () {
  this.timeout(90_000)
  let red: NodeRedProcess
  const folder = temporaryFolder()
  const tour = load('01-tour')
  const deposits = load('10-deposit-cancel-or-release').map((node) =>
    node.type === 'debug' ? { ...node, console: true } : node,
  )
  const flows = [...tour, ...deposits.filter(({ type }) => type !== 'eid-client')]
  const said = (name: string) => red.output().split(`[debug:${name}]`).length - 1
  const press = async (name: string) => {
    const button = flows.find((node) => node.type === 'inject' && node.name === name)
    return (await fetch(`${red.url}/inject/${button?.id}`, { method: 'POST' })).status === 200
  }

  before(async () => {
    linkPackage(folder.path)
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flows, { fileWorkingDirectory: folder.path })
  })
  after(async () => {
    await red.stop()
    folder.remove()
  })

  it('runs once per start, and by its button', async () => {
    await until(() => said('tour: end') === 1, 40)
    const headers = { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'full' }
    should((await fetch(`${red.url}/flows`, { method: 'POST', headers, body: JSON.stringify(flows) })).ok).be.true()
    // The node may come a moment after the answer to the deploy.
    await until(() => press('run the tour'))
    // The tour takes longer than the moment after which it would begin by itself.
    await until(() => said('tour: end') === 2, 20)
    should(said('tour: created')).equal(2)
  })

  it('leaves the deposits of the other examples as they are', async () => {
    await press('not fully paid in')
    await press('fully paid in')
    await until(() => said('canceled') === 1 && said('released') === 1, 20)
    should(said('ended already')).equal(0)
  })

  it('says everything under a name of its own', () => {
    const names = tour.filter(({ type }) => type === 'debug').map(({ name = '' }) => name)
    should(names.filter((name) => !name.startsWith('tour: '))).be.empty()
  })
})
