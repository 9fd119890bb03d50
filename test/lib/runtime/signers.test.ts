/** Who has signed, and what the node confirms and reports because of it. */
import should from 'should'
import type { ApiClient } from '../../../lib/api/client'
import type { Answer } from '../../../lib/api/call/call'
import { hasSigned } from '../../../lib/runtime/service/signers'
import { confirm } from '../../../nodes/embed/confirmation'
import { findEntries } from '../../../nodes/overview/rows'
import { waitingEntries } from '../../../nodes/overview/waiting'
import { detailsOf } from '../../../nodes/wait/details'
import { viewOfWaiting } from '../../../plugins/sidebar/server/waiting'
import { inOrder } from '../../../lib/runtime/people/waits'
import type { PendingItem } from '../../../lib/runtime/monitor/pending'
import { registerReminders, type ReminderNotes } from '../../../lib/runtime/monitor/reminder-notes'
import { remind } from '../../../lib/runtime/service/reminder'

const RED = {}

const url = 'https://sign.example/ola'
const kari = { url: 'https://sign.example/kari', signerInfo: { firstName: 'Kari' }, documentSignature: {} }
const ola = (more: object) => ({ url, signerInfo: { firstName: 'Ola' }, ...more })
const answerOf = (data: unknown): Answer => ({ status: 200, headers: {}, data }) as Answer

describe('who has signed', () => {
  for (const [signer, signed] of [
    [{ documentSignature: {} }, true],
    [{ documentSignature: null }, false],
    [{ documentSignature: '' }, false],
    [{}, false],
    [undefined, false],
  ] as const) {
    it(`${signed ? 'has' : 'has not'}: ${JSON.stringify(signer)}`, () => void should(hasSigned(signer)).equal(signed))
  }

  it('is waited for with a signature that is null', () => {
    const data = { title: 'Lease', signers: [ola({ documentSignature: null }), kari] }
    const { waitingFor, signed } = detailsOf('document', data, 'partialsigned') ?? {}
    should([waitingFor?.map(({ name }) => name), signed]).deepEqual([['Ola'], 1])
  })

  for (const [signerInfo, channel] of [
    [{ email: 'ola.nordmann@example.com', mobile: { number: null } }, 'sendEmail'],
    [{ mobile: { number: '99999999' } }, 'sendSms'],
    [{ mobile: { number: null } }, undefined],
    [{ mobile: { number: '' } }, undefined],
  ] as const) {
    it(`is reminded with a signature that is null: ${JSON.stringify(signerInfo)} gives ${channel ?? 'noAddress'}`, async () => {
      const data = { signers: [{ signerInfo, documentSignature: null }] }
      const api = { send: () => Promise.resolve(answerOf(data)) } as unknown as ApiClient
      const nothing = () => Promise.resolve(undefined)
      const notes = { add: () => Promise.resolve(true), put: nothing, get: nothing } as unknown as ReminderNotes
      const forget = registerReminders(RED, { withNotes: (_wait, use) => use(notes) })
      const found = await remind(RED, api, { id: 'd', wait: 'w', by: '' }).finally(forget)
      should(found).deepEqual(channel ? { state: 'sent', channel } : { state: 'noAddress' })
    })
  }
})

describe('a deposit', () => {
  const contract = { monthlyRent: 9000, depositFactor: 3 }
  for (const [data, title] of [
    [{ contract, rentObject: { address: 'Storgata 1' } }, 'Storgata 1'],
    [{ contract, externalId: 'L-12' }, 'L-12'],
    [{ contract }, '27 000'],
    [{ contract: { depositAmount: 27000.5 } }, '27 000,5'],
    [{}, ''],
  ] as const)
    it(`is listed as "${title}", which people recognize`, () => {
      should(detailsOf('deposit', data, 'CREATED')?.title.replaceAll('\u00a0', ' ')).equal(title)
    })

  for (const find of ['27 000', '27\u202f000', '27000', 'DEP-4711', 'kari  nordmann', ' '])
    it(`is found by "${find}", on the overview page and in the sidebar`, async () => {
      const tenants = [{ info: { firstName: 'Kari', lastName: 'Nordmann' } }]
      const { title = '', waitingFor = [] } = detailsOf('deposit', { contract, tenants }, 'CREATED') ?? {}
      const node = { id: 'n', name: '', flow: '' }
      const item: PendingItem = {
        wait: 'w',
        kind: 'deposit',
        id: 'dep-4711',
        since: new Date().toISOString(),
        node,
        client: 'c',
        title,
        waitingFor,
      }
      should(findEntries(await waitingEntries([item]), { find, kind: '', flow: '' })).have.length(1)
      const list = { items: await inOrder([item]), failures: [] }
      should((await viewOfWaiting(RED, list, { rows: 1, find }, Date.now())).found).equal(1)
      should((await viewOfWaiting(RED, list, { rows: 1, find: '28 000' }, Date.now())).found).equal(0)
    })
})

describe('what a browser says of a document', () => {
  const document = (documentStatus: string, ...signers: object[]) => ({ status: { documentStatus }, signers })
  const unsigned = ola({ documentSignature: null })
  const cases = [
    ['sign_success', document('unsigned', unsigned), false],
    ['sign_success', document('partialsigned', ola({ documentSignature: {} })), true],
    ['sign_success', document('signed', unsigned), true],
    ['user_canceled', document('partialsigned', unsigned, kari), true],
    ['user_canceled', document('unsigned'), true],
    ['user_canceled', { message: 'maintenance' }, false],
    ['sign_error', { documentId: 'd' }, false],
    ['sign_error', { signers: [unsigned] }, false],
    // It is unknown whether the signer of this address is among those who have signed.
    ['sign_success', document('partialsigned', kari), false],
    ['sign_error', document('partialsigned', kari), false],
  ] as const
  // Each verdict takes several look-ups with pauses, so all run at once.
  let verdicts: Promise<boolean>[] = []
  before(() => {
    verdicts = cases.map(async ([type, data]) => {
      const message = { kind: 'document', type, claimed: 'd' } as const
      const ask = () => Promise.resolve(answerOf(data))
      return (await confirm(ask, message, { documentId: 'd', url }, new AbortController().signal)).confirmed
    })
  })
  for (const [index, [type, data, confirmed]] of cases.entries()) {
    it(`${confirmed ? 'confirms' : 'does not confirm'} ${type} by ${JSON.stringify(data)}`, async () => {
      should(await verdicts[index]).equal(confirmed)
    })
  }
})
