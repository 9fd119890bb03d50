/** Section 4 of docs/interface.md, row by row: the request that each call sends. */
import should from 'should'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startFlow, stopFlow } from '../../support/flow'
import { anyCall, rows, type Row } from '../../support/interface-table'

interface Arrived {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Contains everything that any reading operation requires. */
const found = {
  id: 's-1',
  status: { documentStatus: 'unsigned' },
  Status: 'CREATED',
  signers: [{}],
  data: [],
  List: [],
}
const page = 'https://identification.example/x-1'
/** Also contains what the other operations require. */
const made = { ...found, id: 'x-1', documentId: 'x-1', url: page, RequestId: 'x-1', Url: page }

describe('the interface at the wire', () => {
  let server: Server
  let url: string
  let arrived: Arrived[] = []

  before(async () => {
    server = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { method = '', url: path = '', headers } = incoming
        arrived.push({ method, url: path, headers, body: Buffer.concat(chunks).toString('utf8') })
        const token = { access_token: 'token-1', expires_in: 3600, token_type: 'Bearer' }
        response.setHeader('Content-Type', 'application/json')
        const answer = /\/(cancel|terminate|invalidate)$/.test(path) ? {} : method === 'GET' ? found : made
        response.end(JSON.stringify(path.endsWith('/token') ? token : answer))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  beforeEach(() => (arrived = []))
  afterEach(stopFlow)

  const start = ({ type, module, settings, client }: Pick<Row, 'type' | 'module' | 'settings' | 'client'>) =>
    startFlow({
      type,
      module,
      settings,
      client: { environment: 'live', baseUrl: url, ...client },
      credentials: { clientId: 'id:1', clientSecret: 'sécret' },
      outputs: type === 'eid-share-upload' ? 2 : 1,
    })

  it('4.1: asks for a token by HTTP Basic with a form', async () => {
    const flow = await start({ ...anyCall, settings: { path: '/x' }, client: { scopes: 'event identify' } })
    flow.send({})
    await flow.next()
    const [token] = arrived
    should(token).have.properties({ method: 'POST', url: '/oauth/connect/token' })
    should(token?.headers['content-type']).match(/^application\/x-www-form-urlencoded/)
    should(token?.headers.authorization).equal(`Basic ${Buffer.from('id:1:sécret').toString('base64')}`)
    should(token?.body).equal('grant_type=client_credentials&scope=event+identify')
  })

  for (const row of rows) {
    it(`${row.section}: ${row.method} ${row.url}`, async () => {
      const flow = await start(row)
      flow.send({ ...row.msg })
      await Promise.race([
        flow.next(),
        flow.caught().then(({ error }) => should.fail(error.message, '', error.message, '')),
      ])
      const call = arrived.at(-1)
      should(call).have.properties({ method: row.method, url: row.url })
      should(call?.headers.authorization).equal('Bearer token-1')
      if (row.type === 'eid-share-upload') {
        should(call?.headers['content-type']).match(/^multipart\/form-data; boundary=/)
        should(call?.body)
          .match(/name="file"; filename="slip-1"/)
          .and.match(/\r\n\r\npayslip\r\n/)
      } else if (row.body === undefined) {
        should(call?.body).equal('')
      } else {
        should(call?.headers['content-type']).match(/^application\/json/)
        should(JSON.parse(call?.body ?? '')).deepEqual(row.body)
      }
    })
  }
})
