/** The tour: it runs by itself once when Node-RED starts, afterwards by its button, and never because somebody deploys. */
import should from 'should'
import { read } from './house'
import { startRuntime, temporaryFolder, type Running } from './package/runtimes'
import { until } from './time'
import { linkPackage } from './user-folder'

describe('the tour', function () {
  this.timeout(90_000)
  let red: Running
  const folder = temporaryFolder()
  const flows = JSON.parse(read('examples', '01-tour.json')) as object[]
  const said = (step: string) => red.output().split(`[debug:tour: ${step}]`).length - 1

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
    await until(() => said('end') === 1, 40)
    const headers = { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'full' }
    should((await fetch(`${red.url}/flows`, { method: 'POST', headers, body: JSON.stringify(flows) })).ok).be.true()
    const button = flows.find((one) => (one as { name?: string }).name === 'run the tour') as { id: string }
    const press = async () => (await fetch(`${red.url}/inject/${button.id}`, { method: 'POST' })).status === 200
    // The node may come a moment after the answer to the deploy.
    await until(press)
    // The tour takes longer than the moment after which it would begin by itself.
    await until(() => said('end') === 2, 20)
    should(said('created')).equal(2)
  })
})
