/** The rows of section 4 of docs/interface.md: the node, its message, and what must arrive at the service. */
import createDocument from '../../nodes/create-document/create-document'
import depositCancel from '../../nodes/deposit-cancel/deposit-cancel'
import depositTerminate from '../../nodes/deposit-terminate/deposit-terminate'
import session from '../../nodes/identification-session/identification-session'
import request from '../../nodes/request/request'
import shareCreate from '../../nodes/share-create/share-create'
import shareUpload from '../../nodes/share-upload/share-upload'
import type { FlowMessage, NodeModuleLike } from './node-types'

export interface Row {
  readonly section: string
  readonly type: string
  readonly module: NodeModuleLike
  readonly settings?: object
  readonly client?: object
  readonly msg: FlowMessage
  readonly method: string
  readonly url: string
  /** The JSON body; `undefined` if there is no body. Ignored if the node sends a file. */
  readonly body?: unknown
}

const document = {
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'contract.txt', base64Content: 'YWdyZWVk' },
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
export const anyCall = { type: 'eid-request', module: request }
const v1 = (settings: object) => ({ ...identify, settings: { apiVersion: 'v1', ...settings } })

export const rows: readonly Row[] = [
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
    ...v1({ operation: 'list', entryId: 's-1' }),
    msg: {},
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
    ...anyCall,
    settings: { path: '/notification/events' },
    msg: {},
    method: 'GET',
    url: '/notification/events',
  },
]
