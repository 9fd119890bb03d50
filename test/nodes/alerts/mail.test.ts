/** What "alerts" sends with the usual e-mail node to a real mail server, and with "http request" to a chat. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import { reportOccurrence } from '../../../lib/runtime/monitor/occurrences'
import { startMailServer } from '../../support/servers/mail-server'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import type { NodeModuleLike } from '../../support/node-types'
import { until } from '../../support/time'
import { sentence } from '../../support/wording'

const email = require('node-red-node-email/61-email.js') as NodeModuleLike
const change = require('@node-red/nodes/core/function/15-change.js') as NodeModuleLike
const httpRequest = require('@node-red/nodes/core/network/21-httprequest.js') as NodeModuleLike

describe('what alerts sends', () => {
  afterEach(removeFlow)
  const list = () =>
    reportOccurrence(RED, {
      what: 'list',
      node: 'b',
      id: 'Leases in May',
      started: 1,
      total: 9,
      done: 7,
      failed: 2,
      rows: [],
    })

  it('arrives by the usual e-mail node, with subject and text', async () => {
    const server = await startMailServer()
    try {
      const rules = [
        { t: 'set', p: 'topic', pt: 'msg', to: 'subject', tot: 'msg' },
        { t: 'set', p: 'payload', pt: 'msg', to: 'text', tot: 'msg' },
      ]
      const mail = {
        server: '127.0.0.1',
        port: server.port,
        secure: false,
        tls: false,
        authtype: 'NONE',
        name: 'office@example.com',
      }
      await startFlow({
        type: 'eid-alerts',
        module: alerts,
        modules: [change, email],
        client: { baseUrl: 'http://127.0.0.1:9' },
        settings: { client: '', wires: [['change']] },
        more: [
          { id: 'change', z: 'f', type: 'change', rules, wires: [['mail']] },
          { id: 'mail', z: 'f', type: 'e-mail', ...mail, wires: [] },
        ],
        moreSecrets: { mail: { userid: 'node-red@example.com' } },
      })
      list()
      await until(() => server.mails.length === 1)
    } finally {
      await server.close()
    }
    should(server.mails[0]).match(/^Subject: List finished with failures: Leases in May\r?$/m)
    should(server.mails[0]).match(/^To: office@example\.com\r?$/m)
    should(server.mails[0]).containEql(
      sentence('alerts', 'sentences.list', { id: 'Leases in May', done: 7, total: 9, failed: 2 }),
    )
  })

  it('arrives at a chat by "http request", as its text', async () => {
    const posted: Record<string, unknown>[] = []
    const chat = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        posted.push(JSON.parse(body) as Record<string, unknown>)
        response.end('ok')
      })
    }).listen(0, '127.0.0.1')
    await once(chat, 'listening')
    const url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook`
    try {
      await startFlow({
        type: 'eid-alerts',
        module: alerts,
        modules: [httpRequest],
        client: { baseUrl: 'http://127.0.0.1:9' },
        settings: { client: '', language: 'nb', wires: [['post']] },
        more: [{ id: 'post', z: 'f', type: 'http request', method: 'POST', ret: 'txt', url, wires: [[]] }],
      })
      list()
      await until(() => posted.length === 1)
    } finally {
      chat.close()
    }
    should(posted[0]?.text).match(/^Listen «Leases in May» er ferdig: 7 av 9 rader er ferdige, 2 feilet\./)
  })
})
