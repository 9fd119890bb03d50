/** Public nodes whose path would conflict with the editor: the editor keeps working, and the node warns the user. */
import should from 'should'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { temporaryFolder } from '../support/temporary-folder'
import { linkPackage } from '../support/node-red/user-folder'

const flowsWith = (type: string, path: string) => [
  { id: 'f', type: 'tab', label: 'test' },
  { id: 'c', type: 'eid-client' },
  { id: 'n', z: 'f', type, client: 'c', path, x: 1, y: 1, wires: [[], [], []] },
]

describe('the editor at one root with public nodes', () => {
  const folder = temporaryFolder()
  const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
  let red: NodeRedProcess
  before(async () => {
    linkPackage(folder.path)
    red = await startRuntime(installation, folder.path, flowsWith('eid-webhook', '/flows'))
  })
  after(async () => {
    await red.stop()
    folder.remove()
  })
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(red.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }

  for (const type of ['eid-webhook', 'eid-embed']) {
    for (const path of ['/flows', '/flow', '/eid']) {
      it(`can be deployed from with ${type} at ${path}`, async () => {
        should(await post('/flows', flowsWith(type, path))).equal(204)
        should(await post('/flow', { label: 'another', nodes: [] })).equal(200)
        should(await post('/eid/client/test', { id: 'c', environment: 'sandbox' })).equal(200)
        should(red.output()).containEql('conflicts with')
      })
    }
  }
})
