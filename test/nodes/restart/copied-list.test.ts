/**
 * A copied list after Node-RED, with its sandbox, was killed and started again: the sandbox counts as the same service.
 *
 * @rest
 */
import should from 'should'
import { startRuntime, type NodeRedProcess } from '../../support/node-red/installed'
import { linkPackage } from '../../support/node-red/user-folder'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'
import { contractNode } from '../../support/batch-flow'

const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
const place = { z: 'f', x: 1, y: 1 }
const list = (id: string) => ({ ...place, id, type: 'eid-batch', wires: [[`create-${id}`], [`report-${id}`]] })
const create = (id: string) => ({
  ...place,
  id: `create-${id}`,
  ...contractNode,
  wires: [[id]],
  signersRows: [{ firstName: 'Ola', email: 'ola.nordmann@example.com', notification: 'off' }],
})
const entry = (id: string) => [
  { ...place, id: `in-${id}`, type: 'http in', url: `/${id}`, method: 'post', wires: [[`rows-${id}`]] },
  { ...place, id: `rows-${id}`, type: 'function', outputs: 2, func: rows, wires: [[id], [`out-${id}`]] },
  { ...place, id: `out-${id}`, type: 'http response', wires: [] },
  { ...place, id: `report-${id}`, type: 'function', outputs: 0, func: report(id), wires: [] },
]
const rows = `node.send([{ payload: [{ Name: 'Ola' }, { Name: 'Kari' }] }, msg])`
const report = (id: string) => `if (msg.status === 'ended') node.warn('${id} done ' + msg.payload.done)`
const flows = [
  { id: 'f', type: 'tab', label: 'Contracts' },
  { id: 'c', type: 'eid-client' },
  ...['first', 'copy'].flatMap((id) => [list(id), create(id), ...entry(id)]),
]

describe('a copied list, after a kill', () => {
  let red: NodeRedProcess
  const folder = temporaryFolder()
  before(async () => {
    linkPackage(folder.path)
    red = await startRuntime(installation, folder.path, flows)
  })
  after(async () => {
    await red?.stop()
    folder.remove()
  })

  it('is refused as before', async () => {
    await fetch(`${red.url}/first`, { method: 'POST' })
    await until(() => red.output().includes('first done 2'))
    red.kill()
    red = await startRuntime(installation, folder.path, flows)
    await fetch(`${red.url}/copy`, { method: 'POST' })
    const said = await until(() => /copy done \d|has sent at least one of these rows/.exec(red.output())?.[0])
    should(said).startWith('has sent')
  })
})
