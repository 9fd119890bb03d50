/**
 * Makes the messages of a batch, after creating what another system would have created, with personal data that can be
 * recognized.
 */
import type { CreatedDocument, Parties } from '../support/parties'
import type { Kind } from './plan'

/** Parts of invented personal data and file contents, by which they can be found in any text. */
export const personal = {
  mail: 'person.soak.example',
  phone: '98140417',
  nationalId: '31049917',
  birthDate: '1817-04-30',
  bytes: 'PAYSLIP-OF-THE-SOAK',
} as const

export interface Prepared {
  readonly msg: Record<string, unknown>
  /** The id at the service, or the name in the request, by which the service's acts are counted. */
  readonly subject: string
  /** The operation that must take effect at most once; empty if the message changes nothing. */
  readonly operation: string
  /** For a list: how many rows it has; the operation takes effect once for each of them. */
  readonly rows?: number
  /** The address of the signer app for this message. */
  readonly signerUrl?: string
}

type Make = (n: number, key: string, parties: Parties) => Promise<Prepared>

const mail = (n: number) => `ola${n}@${personal.mail}`
const nationalId = (n: number) => `${personal.nationalId}${String(n % 1000).padStart(3, '0')}`
const bytes = (n: number) => Buffer.from(`${personal.bytes} ${n}`)
const mobile = { countryCode: '47', number: personal.phone }

const redirectSettings = {
  successUrl: 'https://a.example/s',
  abortUrl: 'https://a.example/a',
  errorUrl: 'https://a.example/e',
}

const onDocument =
  (operation: string, payload?: object): Make =>
  async (_n, key, parties) => {
    const { documentId, signers } = await parties.createDocument(`made-${key}`)
    const more = payload && { payload, signerId: signers[0]?.id }
    const msg = { documentId, key: `made-${key}`, url: signers[0]?.url, ...more }
    return { msg, subject: documentId, operation, signerUrl: signers[0]?.url ?? '' }
  }

const onSession =
  (operation: string): Make =>
  async (_n, _key, parties) => {
    const { id } = await parties.createSession()
    return { msg: { sessionId: id }, subject: id, operation }
  }

const deposit = (key: string, n: number) => ({
  externalId: key,
  tenants: [{ info: { firstName: 'Ola', lastName: 'Nordmann', email: mail(n), mobile, ssn: nationalId(n) } }],
  landlord: { name: 'Kari Nordmann', email: mail(n) },
  contract: { depositAmount: 30_000 },
})

const onDeposit =
  (operation: string, funded = false, payload?: object): Make =>
  async (n, key, parties) => {
    const { id } = await parties.call<{ id: string }>('POST', '/deposit/personal', deposit(`made-${key}`, n))
    if (funded) await parties.call('POST', '/sandbox/fund-deposit', { id })
    return { msg: { depositId: id, payload }, subject: id, operation }
  }

const recipient = (n: number) => ({
  firstName: 'Ola',
  lastName: 'Nordmann',
  email: mail(n),
  expires: new Date(Date.now() + 86_400_000).toISOString(),
  mobile,
  uploads: ['a'],
  authentication: [{ identityProvider: 'NO_EID_MOBILE', ssn: nationalId(n) }],
})

const share = (key: string, n: number) => ({
  information: { title: key, description: 'For Ola' },
  content: [{ id: 'a', name: 'File a', type: 'file' }],
  recipients: [recipient(n)],
})

const onShare =
  (operation: string, payload?: (n: number) => object): Make =>
  async (n, key, parties) => {
    const { id, recipients } = await parties.call<Shared>('POST', '/share/buckets/', share(`made-${key}`, n))
    await parties.upload(`/share/buckets/${id}/upload/a`, Buffer.from('a'), 'a.txt')
    return { msg: { shareId: id, recipientId: recipients[0]?.id, payload: payload?.(n) }, subject: id, operation }
  }

interface Shared {
  readonly id: string
  readonly recipients: readonly { readonly id: string }[]
}

const rowsOfList = 3

/** The name under which a list is stored until it has ended. */
export const listName = (n: number) => `list-${n}-of-the-soak`

/**
 * A list of deposits: only the batch prevents that they are created twice. The rows are stored on disk, so they contain
 * none of the personal data that the soak searches for.
 */
const list: Make = (n, key) => {
  const tenants = [{ info: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' } }]
  const row = (at: number) => ({ ...deposit(`${key}-${at}`, n), tenants, landlord: { name: 'Kari Nordmann' } })
  const payload = Array.from({ length: rowsOfList }, (_none, at) => row(at))
  const msg = { payload, batchId: listName(n) }
  return Promise.resolve({ msg, subject: key, operation: 'createDeposit', rows: rowsOfList })
}

/** What a person has in a list: a semicolon between the columns, and a byte-order mark as a spreadsheet writes it. */
const fileOfRows: Make = (n, key) => {
  const row = (at: number) => `${key}-${at};Ola Nordmann;ola.nordmann@example.com;${9000 + at}`
  const rows = Array.from({ length: rowsOfList }, (_none, at) => row(at))
  const payload = Buffer.from(`\uFEFF${['key;name;email;rent', ...rows].join('\r\n')}\r\n`)
  const msg = { payload, batchId: listName(n) }
  return Promise.resolve({ msg, subject: key, operation: 'createDocument', rows: rowsOfList })
}

const signer = (externalSignerId: string, signerInfo: object) => ({
  externalSignerId,
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo,
})
const contract = (externalId: string, n: number) => ({
  title: 'Contract',
  externalId,
  contactDetails: { email: mail(n) },
  dataToSign: { fileName: 'contract.txt', base64Content: bytes(n).toString('base64') },
  signers: [signer('ola-1', { firstName: 'Ola', email: mail(n), mobile, socialSecurityNumber: nationalId(n) })],
})
const newSigner = signer('kari-2', { firstName: 'Kari', email: mail(0), mobile })
const attachment = { title: 'Rules', fileName: 'rules.txt', data: bytes(0).toString('base64'), convertToPdf: true }

export const makers: Readonly<Record<Kind, Make>> = {
  'create-document': (n, key) =>
    Promise.resolve({
      msg: { payload: contract(key, n), externalId: key },
      subject: key,
      operation: 'createDocument',
    }),
  'create-from-word': (n, key) =>
    Promise.resolve({
      msg: { payload: { key, name: 'Ola', email: mail(n), rent: 9000 } },
      subject: key,
      operation: 'createDocument',
    }),
  'document-get': onDocument(''),
  'document-status': onDocument(''),
  'document-list': onDocument(''),
  'document-download': onDocument(''),
  'document-cancel': onDocument('cancelDocument'),
  'document-remind': onDocument('remindDocument'),
  'document-deadline': onDocument('updateDocument'),
  'document-add-signer': onDocument('addSigner', newSigner),
  'document-change-signer': onDocument('changeSigner', { tags: ['late'], signerInfo: { email: mail(0) } }),
  'document-add-attachment': async (n, key, parties) => {
    const body = { ...contract(`made-${key}`, n), advanced: { attachments: 1 } }
    const { documentId } = await parties.call<CreatedDocument>('POST', '/signature/documents', body)
    return { msg: { documentId, payload: attachment }, subject: documentId, operation: 'addAttachment' }
  },
  'session-create': (n, key) => {
    const prefilledInput = { phoneNumber: personal.phone, nin: nationalId(n), dateOfBirth: personal.birthDate }
    const payload = {
      flow: 'redirect',
      allowedProviders: ['no_eid_mobile'],
      redirectSettings,
      externalReference: key,
      prefilledInput,
    }
    return Promise.resolve({ msg: { payload }, subject: key, operation: 'createSession' })
  },
  'session-get': onSession(''),
  'session-list': onSession(''),
  'session-invalidate': onSession('invalidateSession'),
  'share-create': (n, key) =>
    Promise.resolve({ msg: { payload: share(key, n) }, subject: key, operation: 'createBucket' }),
  'share-upload': async (n, key, parties) => {
    const { id } = await parties.call<{ id: string }>('POST', '/share/buckets/', share(`made-${key}`, n))
    const msg = { shareId: id, contentId: 'a', filename: 'a.txt', payload: bytes(n).toString('base64') }
    return { msg, subject: id, operation: 'uploadToBucket' }
  },
  'share-get': onShare(''),
  'share-change': onShare('changeShare', () => ({ title: 'Another' })),
  'share-delete': onShare('deleteShare'),
  'share-add-recipient': onShare('addRecipient', recipient),
  'share-change-recipient': onShare('changeRecipient', (n) => ({ email: mail(n + 1) })),
  'share-notify': onShare('notifyRecipients'),
  'deposit-create': (n, key) =>
    Promise.resolve({ msg: { payload: deposit(key, n) }, subject: key, operation: 'createDeposit' }),
  'deposit-get': onDeposit(''),
  'deposit-change': onDeposit('changeDeposit', false, { landlord: { ssn: nationalId(1) } }),
  'deposit-cancel': onDeposit('cancelDeposit'),
  'deposit-terminate': onDeposit('terminateDeposit', true),
  request: (n, key) => Promise.resolve({ msg: { payload: deposit(key, n) }, subject: key, operation: 'createDeposit' }),
  wait: onDocument(''),
  'wait-files': onDocument(''),
  'wait-shared': onDocument(''),
  embed: onDocument(''),
  events: (_n, key) => Promise.resolve({ msg: {}, subject: key, operation: '' }),
  webhook: (_n, key) => Promise.resolve({ msg: {}, subject: key, operation: '' }),
  'webhook-shared': (_n, key) => Promise.resolve({ msg: {}, subject: key, operation: '' }),
  batch: list,
  'batch-shared': list,
  'batch-from-file': fileOfRows,
  pending: (_n, key) => Promise.resolve({ msg: {}, subject: key, operation: '' }),
}
