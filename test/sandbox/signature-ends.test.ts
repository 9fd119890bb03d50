/** How documents of the sandbox end: once, with a notice to everyone who wants one. */
import should from 'should'
import { at, DAY, person, type DocumentBody, useDocuments } from './document-calls'

describe('sandbox: the end of a document', () => {
  const { caller, create, stateOf, signAs, outbox } = useDocuments()
  const notifications = { setup: { finalReceipt: 'sendEmail', canceled: 'sendEmail', expired: 'sendEmail' } }
  const signers = ['ola-1', 'kari-1'].map((name) => person(name, { notifications }))
  const cancel = (id: string) => caller().call('POST', at(id, '/cancel?reason=too+late'))
  const told = () => outbox().map(({ subject, to }) => `${to}: ${subject}`)
  const ways: readonly (readonly [
    state: string,
    subject: string,
    end: (document: DocumentBody) => Promise<unknown>,
  ])[] = [
    [
      'signed',
      'Signed by everyone',
      async (document) => {
        for (const signer of document.signers) await signAs(signer)
      },
    ],
    ['canceled', 'Canceled', ({ documentId }) => cancel(documentId)],
    [
      'expired',
      'Expired',
      async () => {
        await caller().sandbox.clock.advance(100 * DAY)
        await caller().renew()
      },
    ],
  ]

  for (const [state, subject, end] of ways) {
    it(`notifies everyone once that it is ${state}, and can no longer be canceled`, async () => {
      const document = await create({ signers })
      await end(document)
      should((await cancel(document.documentId)).status).equal(422)
      should(await stateOf(document.documentId)).equal(state)
      should(told()).deepEqual([`ola-1@example.com: ${subject}: Lease`, `kari-1@example.com: ${subject}: Lease`])
    })
  }
})
