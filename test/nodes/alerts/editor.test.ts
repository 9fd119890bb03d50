/**
 * "alerts" in a Node-RED with all of its own nodes: its debug nodes change what is logged before other listeners read
 * it.
 */
import should from 'should'
import { startRed, type RedProcess } from '../../support/node-red/inspected'
import { until } from '../../support/time'

const keep = `flow.set('said', [...(flow.get('said') || []), msg.topic + ': ' + msg.text]); return null`
const place = (id: string, type: string, wires: string[]) => ({ id, z: 'f', type, x: 100, y: 100, wires: [wires] })
const lease = { client: 'c', title: 'Lease', deadline: '2020-01-01', deadlineType: 'str' }
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'g', type: 'tab', label: 'Caught' },
  { id: 'h', type: 'tab', label: 'Shown' },
  { id: 'c', type: 'eid-client', environment: 'sandbox' },
  { ...place('send', 'http in', ['caught', 'shown', 'create']), method: 'post', url: '/send' },
  { ...place('create', 'eid-create-document', []), ...lease },
  { ...place('caught', 'eid-create-document', []), ...lease, title: 'Caught', z: 'g' },
  { ...place('catch', 'catch', []), scope: null, z: 'g' },
  { ...place('shown', 'eid-create-document', []), ...lease, title: 'Shown', z: 'h' },
  { ...place('other catch', 'catch', ['debug']), scope: null, z: 'h' },
  { ...place('debug', 'debug', []), active: true, complete: 'true', z: 'h' },
  { ...place('alerts', 'eid-alerts', ['keep']), client: '' },
  { ...place('keep', 'function', []), func: keep, outputs: 1 },
  { ...place('ask', 'http in', ['read']), method: 'get', url: '/said' },
  { ...place('read', 'function', ['out']), func: `msg.payload = flow.get('said') || []; return msg`, outputs: 1 },
  place('out', 'http response', []),
]

describe('alerts in a whole Node-RED', () => {
  let red: RedProcess
  before(async () => (red = await startRed({ flows })))
  after(() => red?.stop())

  it('says what failed when no Catch node received it, and nothing that a Catch node only shows', async () => {
    const left = new AbortController()
    void fetch(`${red.url}/send`, { method: 'POST', signal: left.signal }).catch(() => undefined)
    const said = async () => (await (await fetch(`${red.url}/said`)).json()) as string[]
    await until(async () => (await said()).length > 0)
    left.abort()
    const all = await said()
    should(all).have.length(1)
    should(all[0]).match(/^failed: Deadline is in the past.*\n\nWhen: \w{3} \d.*\nNode: create document, Leases$/s)
  })
})
