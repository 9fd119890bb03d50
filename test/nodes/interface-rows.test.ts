/** Section 4 of docs/interface.md row by row: what each call looks like at the wire. */
import should from 'should'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import createDocument from '../../nodes/create-document/create-document'
import depositCancel from '../../nodes/deposit-cancel/deposit-cancel'
import depositTerminate from '../../nodes/deposit-terminate/deposit-terminate'
import session from '../../nodes/identification-session/identification-session'
import request from '../../nodes/request/request'
import shareCreate from '../../nodes/share-create/share-create'
import shareUpload from '../../nodes/share-upload/share-upload'
import { startFlow, stopFlow } from './flow'
import type { FlowMessage, NodeModuleLike } from './types'

interface Arrived {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Row {
  readonly section: string
  readonly type: string
  readonly module: NodeModuleLike
  readonly settings?: object
  readonly client?: object
  readonly msg: FlowMessage
  readonly method: string
  readonly url: string
  /** The JSON body, `undefined` for none; not looked at for files. */
  readonly body?: unknown
}

const document = {
  title: 'Rent',
  externalId: 'rent-0001',
  signers: [{ externalSignerId: 'ola-1', ui: { styling: { themeMode: 'Dark' } } }],
}
const tenant = { category: 'TENANT', username: 'ola' }
const split = {
  category: 'SPLIT',
  username: 'ola',
  amount: { tenant: 25000, landlord: 2000 },
  transactionInfo: { landlord: { kid: '0012345674', description: 'Rent for May' } },
}
const share = {
  information: { title: 'Payslips', description: 'For May' },
  content: [{ id: 'slip-1', name: 'Payslip', type: 'file' }],
  recipients: [
    {
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      expires: new Date(Date.now() + 86_400_000).toISOString(),
      mobile: { countryCode: '47', number: '99999999' },
      uploads: ['slip-1'],
      authentication: [],
    },
  ],
}
const headless = {
  flow: 'headless',
  allowedProviders: ['no_eid_mobile'],
  prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' },
}
const older = {
  ReturnUrls: { Success: 'https://us.example/s', Abort: 'https://us.example/a', Error: 'https://us.example/e' },
}
const phone = { MobileNumber: '99999999', DateOfBirth: '010190' }

const identify = { type: 'eid-identification-session', module: session }
const upload = { type: 'eid-share-upload', module: shareUpload, settings: { file: 'file' } }
const file = { shareId: 'share-1', contentId: 'slip-1', file: Buffer.from('payslip') }
const any = { type: 'eid-request', module: request }
const v1 = (settings: object) => ({ ...identify, settings: { apiVersion: 'v1', ...settings } })

const rows: readonly Row[] = [
  {
    section: '4.2',
    type: 'eid-create-document',
    module: createDocument,
    msg: { payload: document },
    method: 'POST',
    url: '/signature/documents',
    body: document,
  },
  {
    section: '4.3',
    type: 'eid-deposit-cancel',
    module: depositCancel,
    msg: { depositId: 'd-1' },
    method: 'POST',
    url: '/deposit/personal/d-1/cancel',
  },
  {
    section: '4.4 TENANT',
    type: 'eid-deposit-terminate',
    module: depositTerminate,
    msg: { depositId: 'd-1', payload: tenant },
    method: 'POST',
    url: '/deposit/personal/d-1/terminate',
    body: tenant,
  },
  {
    section: '4.4 SPLIT',
    type: 'eid-deposit-terminate',
    module: depositTerminate,
    msg: { depositId: 'd-1', payload: split },
    method: 'POST',
    url: '/deposit/personal/d-1/terminate',
    body: split,
  },
  {
    section: '4.5 newer',
    type: 'eid-share-create',
    module: shareCreate,
    msg: { payload: share },
    method: 'POST',
    url: '/share/buckets/',
    body: share,
  },
  {
    section: '4.5 older',
    type: 'eid-share-create',
    module: shareCreate,
    client: { sharePaths: 'share' },
    msg: { payload: share },
    method: 'POST',
    url: '/share/',
    body: share,
  },
  {
    section: '4.6 upload',
    ...upload,
    client: { sharePaths: 'share' },
    msg: file,
    method: 'POST',
    url: '/share/share-1/upload/slip-1/',
  },
  {
    section: '4.6 file',
    ...upload,
    client: { sharePaths: 'share', uploadPath: 'file' },
    msg: file,
    method: 'POST',
    url: '/share/share-1/file/slip-1',
  },
  {
    section: '4.6 buckets',
    ...upload,
    client: { sharePaths: 'buckets' },
    msg: file,
    method: 'POST',
    url: '/share/buckets/share-1/upload/slip-1',
  },
  {
    section: '4.7 create',
    ...identify,
    msg: { payload: headless },
    method: 'POST',
    url: '/identification/v2/sessions',
    body: headless,
  },
  {
    section: '4.7 retrieve',
    ...identify,
    settings: { operation: 'get' },
    msg: { sessionId: 's-1' },
    method: 'GET',
    url: '/identification/v2/sessions/s-1',
  },
  {
    section: '4.7 list',
    ...identify,
    settings: { operation: 'list' },
    msg: {},
    method: 'GET',
    url: '/identification/v2/sessions?limit=100',
  },
  {
    section: '4.7 invalidate',
    ...identify,
    settings: { operation: 'invalidate' },
    msg: { sessionId: 's-1' },
    method: 'POST',
    url: '/identification/v2/sessions/s-1/invalidate',
  },
  {
    section: '4.8 retrieve',
    ...v1({ operation: 'get' }),
    msg: { sessionId: 's-1' },
    method: 'GET',
    url: '/identification/session?requestId=s-1',
  },
  {
    section: '4.8 create',
    ...v1({}),
    msg: { payload: older },
    method: 'POST',
    url: '/identification/session',
    body: older,
  },
  {
    section: '4.8 invalidate',
    ...v1({ operation: 'invalidate' }),
    msg: { sessionId: 's-1' },
    method: 'PUT',
    url: '/identification/sessions/invalidate?requetsId=s-1',
  },
  {
    section: '4.8 log',
    ...v1({ operation: 'list', year: '2025' }),
    msg: {},
    method: 'GET',
    url: '/identification/log/filter/2025?pageSize=100',
  },
  {
    section: '4.8 log entry',
    ...v1({ operation: 'list' }),
    msg: { sessionId: 's-1' },
    method: 'GET',
    url: '/identification/log/requestId/s-1',
  },
  {
    section: '4.8 mobile',
    ...v1({}),
    msg: { payload: phone },
    method: 'POST',
    url: '/identification/no/eid/mobile',
    body: phone,
  },
  {
    section: '4.9',
    ...any,
    settings: { path: '/notification/events' },
    msg: {},
    method: 'GET',
    url: '/notification/events',
  },
]

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
        response.end(JSON.stringify(path.endsWith('/token') ? token : { id: 'x-1', data: [] }))
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
    const flow = await start({ ...any, settings: { path: '/x' }, client: { scopes: 'event identify' } })
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
