/** What the sandbox's document tests share: requests for a document, and functions that create, sign and read one. */
import { startCaller, type Caller, type ErrorBody } from './caller'

export interface SignerBody extends ErrorBody {
  id: string
  url: string
  externalSignerId: string
  order: number
}

export interface DocumentBody extends ErrorBody {
  documentId: string
  title: string
  status: { documentStatus: string; completedPackages: string[]; attachmentPackages: Record<string, string[]> }
  signers: SignerBody[]
  advanced: { requiredSignatures: number; timeToLive: { deadline: string } }
}

export const DAY = 24 * 3600 * 1000

export const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A signer, as the body of a call. */
export const person = (externalSignerId: string, more: object = {}) => ({
  externalSignerId,
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
  signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: `${externalSignerId}@example.com` },
  notifications: { setup: { request: 'sendEmail' } },
  ...more,
})

let count = 0
/** A document for two people, as the body of a call. */
export const draft = (more: object = {}) => ({
  title: 'Lease',
  externalId: `lease-${(count += 1)}`,
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'lease.txt', base64Content: base64('agreed') },
  signers: [person('ola-1'), person('kari-1')],
  ...more,
})

export const at = (id: string, rest = '') => `/signature/documents/${id}${rest}`

/** One sandbox for the file, reset before each test, with functions for its documents. */
export function useDocuments() {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const tryCreate = (more?: object) => caller.call<DocumentBody>('POST', '/signature/documents', draft(more))
  const create = async (more?: object) => (await tryCreate(more)).json
  const get = async (id: string) => (await caller.call<DocumentBody>('GET', at(id))).json
  const stateOf = async (id: string) => (await get(id)).status.documentStatus
  const signAs = <Body = ErrorBody>(signer: SignerBody | undefined) =>
    caller.open<Body>('POST', `/sign/${signer?.url.split('jwt=')[1] ?? ''}/sign`)
  const outbox = () => caller.sandbox.world.outbox.list()
  return { caller: () => caller, tryCreate, create, get, stateOf, signAs, outbox }
}
