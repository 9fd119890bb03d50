/** How documents of the sandbox end: once, and everybody who asked for it is told. */
import should from 'should'
import { startCaller, type Caller } from './caller'

interface DocumentBody {
  documentId: string
  status: { documentStatus: string }
  signers: { url: string }[]
}

describe('sandbox: the end of a document', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const create = async () => {
    const signers = ['ola-1', 'kari-1'].map((name) => ({
      externalSignerId: name,
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
      signerInfo: { email: `${name}@example.com` },
      notifications: { setup: { finalReceipt: 'sendEmail', canceled: 'sendEmail', expired: 'sendEmail' } },
    }))
    const { json } = await caller.call<DocumentBody>('POST', '/signature/documents', {
      title: 'Lease',
      externalId: 'lease-1',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'lease.txt', base64Content: Buffer.from('agreed').toString('base64') },
      signers,
    })
    return json
  }
  const at = (id: string, rest = '') => `/signature/documents/${id}${rest}`
  const cancel = (id: string) => caller.call('POST', at(id, '/cancel?reason=too+late'))
  const stateOf = async (id: string) => (await caller.call<DocumentBody>('GET', at(id))).json.status.documentStatus
  const told = () => caller.sandbox.world.outbox.list().map(({ subject, to }) => `${to}: ${subject}`)
  const ways: readonly (readonly [
    state: string,
    subject: string,
    end: (document: DocumentBody) => Promise<unknown>,
  ])[] = [
    [
      'signed',
      'Signed by everyone',
      async ({ signers }) => {
        for (const { url } of signers) await caller.open('POST', `/sign/${url.split('jwt=')[1] ?? ''}/sign`)
      },
    ],
    ['canceled', 'Canceled', ({ documentId }) => cancel(documentId)],
    [
      'expired',
      'Expired',
      async () => {
        await caller.sandbox.clock.advance(100 * 86_400_000)
        await caller.renew()
      },
    ],
  ]

  for (const [state, subject, end] of ways) {
    it(`tells everybody that it is ${state}, once, and lets nobody cancel it any more`, async () => {
      const document = await create()
      await end(document)
      should((await cancel(document.documentId)).status).equal(422)
      should(await stateOf(document.documentId)).equal(state)
      should(told()).deepEqual([`ola-1@example.com: ${subject}: Lease`, `kari-1@example.com: ${subject}: Lease`])
    })
  }
})
