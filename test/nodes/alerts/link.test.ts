/** The link to the editor in an alert: an address that the reader of the e-mail can open, or no link. */
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import { editorAddress, linkTo } from '../../../nodes/alerts/editor-address'
import { reportOccurrence } from '../../../lib/runtime/monitor/occurrences'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'

const redWith = (settings: object) => ({ settings: { uiPort: 1880, ...settings } }) as unknown as Runtime

describe('the link of an alert', () => {
  afterEach(removeFlow)

  it('is empty where Node-RED only knows a loopback address', () => {
    for (const uiHost of [undefined, '', '0.0.0.0', '::', '127.0.0.1', 'localhost', '::1'])
      should(editorAddress(redWith({ uiHost }), '')).equal('')
    should(editorAddress(redWith({ uiHost: '10.0.0.4', httpAdminRoot: false }), '')).equal('')
    should(linkTo('', 'node')).equal('')
  })

  it('begins with the address in the settings of Node-RED, or with that of the node', () => {
    const red = redWith({ uiHost: '10.0.0.4', httpAdminRoot: '/admin' })
    should(linkTo(editorAddress(red, ''), 'a/b')).equal('http://10.0.0.4:1880/admin/#node/a%2Fb')
    should(linkTo(editorAddress(red, 'https://flows.example.com/red/'), 'n')).equal(
      'https://flows.example.com/red/#node/n',
    )
  })

  it('is in payload and text as it was entered', async () => {
    const flow = await startFlow({
      type: 'eid-alerts',
      module: alerts,
      client: { baseUrl: 'http://127.0.0.1:9' },
      settings: { client: '', editorUrl: 'https://flows.example.com' },
    })
    reportOccurrence(RED, {
      what: 'list',
      node: 'b',
      id: 'May',
      started: 1,
      total: 2,
      done: 1,
      failed: 1,
      rows: ['2 (A-2)'],
    })
    const { payload, text } = await flow.next()
    should((payload as FlowMessage).link).equal('https://flows.example.com/#node/b')
    should(text)
      .match(/\nFailed rows: 2 \(A-2\)\n/)
      .and.match(/Open in the editor: https:\/\/flows\.example\.com\/#node\/b$/)
  })

  it('is refused when the address is not valid', async () => {
    const flow = await startFlow({
      type: 'eid-alerts',
      module: alerts,
      client: { baseUrl: 'http://127.0.0.1:9' },
      settings: { client: '', editorUrl: 'flows.example.com' },
    })
    should((await flow.caught()).error).have.property('code', 'EID_INVALID_INPUT')
  })
})
