/**
 * The flow file of 1.0: operations on existing documents, shares and deposits, pending waits, and a subflow with our
 * nodes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { registerPending, type PendingItem } from '../../../lib/runtime/monitor/pending'
import create from '../../../nodes/create-document/create-document'
import { RED } from '../../support/errors'
import { startFlow, stopFlow } from '../../support/flow'
import { act } from '../../support/parties'
import { createShare } from '../../support/share-party'
import { load, placed } from '../../support/stored-flows'
import { useStored, type StoredBench } from '../../support/stored-nodes'

describe('the stored settings of 1.0 for existing documents, shares and deposits', () => {
  const stored = useStored()
  let { service, site, parties, run, asked } = {} as StoredBench
  beforeEach(() => void ({ service, site, parties, run, asked } = stored()))

  it('document: the changes of itself and of its signers', async () => {
    const { documentId: which, signers } = await parties.createDocument('lease-0001', 2)
    const at = `/signature/documents/${which}`
    await run('document-update', { which, of: 'With the right rent', base: { unknown: 'kept' } })
    const { what, body } = await asked()
    should(what).equal(`PATCH ${at}`)
    const { advanced, ...rest } = body as { advanced: { timeToLive: { deadline: string } } }
    should((Date.parse(advanced.timeToLive.deadline) - Date.now()) / 86_400_000).be.within(29.9, 30)
    should(rest).deepEqual({
      unknown: 'kept',
      reference: 'r-1',
      title: 'Lease, corrected',
      description: 'With the right rent',
      contactDetails: { email: 'kari.nordmann@example.com' },
    })
    const { signerId: who } = await run('document-add-signer', { which, mail: 'kari.nordmann@example.com' })
    should(await asked()).deepEqual({
      what: `POST ${at}/signers`,
      query: {},
      body: {
        externalSignerId: 'kari-1',
        order: 2,
        signatureType: { mechanism: 'pkisignature' },
        signerInfo: {
          firstName: 'Kari',
          lastName: 'Nordmann',
          email: 'kari.nordmann@example.com',
          mobile: { countryCode: 47, number: '99999999' },
        },
        notifications: { setup: { request: 'sendEmail' } },
        redirectSettings: { redirectMode: 'donot_redirect' },
      },
    })
    await run('document-change-signer', { which, who, first: 'Kari Anne' })
    should((await asked()).body).deepEqual({ signerInfo: { firstName: 'Kari Anne', lastName: 'Nordmann' } })
    should(await run('document-get-signer', { which, who })).have.property('signerId', who)
    should((await run('document-list-signers', { which })).payload).have.length(3)
    await run('document-remove-signer', { which, who })
    should((await asked()).what).equal(`DELETE ${at}/signers/${String(who)}`)
    await run('document-remind-rows', { which, who: signers[0]?.id, mail: 'ola.nordmann@example.com' })
    should((await asked()).body).match({ notificationSetting: 'sendSms', signers: { [String(signers[0]?.id)]: {} } })
    should((await run('document-list-notifications', { which })).payload).be.an.Array()
    should((await run('document-summary', { which })).payload).have.property('externalId', 'lease-0001')
    for (const { url } of signers) await act(url)
    await service.sandbox.clock.advance(5000)
    await run('document-download-signer', { which, who: signers[0]?.id })
    should((await asked()).what).equal(`GET ${at}/files/signers/${signers[0]?.id}`)
    const kept = mkdtempSync(join(tmpdir(), 'eid-test-'))
    const archived = await run('archive-set', { which, archiveFolder: kept })
    should(archived.payload).have.property('folder', join(kept, 'kept', 'Lease, corrected'))
    should((await run('archive-check', { kept: { folder: kept } })).payload).have.property('whole', 1)
    rmSync(kept, { recursive: true })
  })

  it('document: its attachments, and the file of one', async () => {
    const { documentId: which, signers } = await parties.createDocument('lease-0001', 1, { attachments: 1 })
    const [who] = signers.map(({ id }) => id)
    const folder = mkdtempSync(join(tmpdir(), 'eid-test-'))
    writeFileSync(join(folder, 'of the house.pdf'), 'be quiet')
    process.env.EID_TEST_FOLDER = folder
    const { attachmentId: paper } = await run('document-add-attachment', { which, who, rules: 'of the house.pdf' })
    delete process.env.EID_TEST_FOLDER
    rmSync(folder, { recursive: true })
    should((await asked()).body).deepEqual({
      title: 'House rules',
      description: 'To be read',
      fileName: 'rules.pdf',
      type: 'read_accept',
      data: Buffer.from('be quiet').toString('base64'),
      signers: [who],
    })
    const at = `/signature/documents/${which}`
    await run('document-change-attachment', { which, paper })
    should((await asked()).body).deepEqual({ title: 'House rules of May' })
    const calls = [
      ['list-attachments', `GET ${at}/attachments`],
      ['get-attachment', `GET ${at}/attachments/${String(paper)}`],
      ['download-part', `GET ${at}/files/attachments/${String(paper)}`],
      ['remove-attachment', `DELETE ${at}/attachments/${String(paper)}`],
    ] as const
    for (const [variant, what] of calls) {
      await run(`document-${variant}`, { which, paper })
      should((await asked()).what).equal(what)
    }
  })

  it('share: its recipients, the list of all, and its end', async () => {
    const id = await createShare(service, parties, 5)
    await run('share-add-recipient', { share: { id } })
    const { what, body } = await asked()
    should(what).equal(`POST /share/buckets/${id}/recipients`)
    const { expires, ...rest } = body as { expires: string }
    should((Date.parse(expires) - Date.now()) / 86_400_000).be.within(4.9, 5)
    should(rest).deepEqual({
      firstname: 'Kari',
      lastname: 'Nordmann',
      email: 'kari.nordmann@example.com',
      mobile: { countryCode: '47', number: '99999999' },
      uploads: ['slip'],
      content: ['slip'],
      authentication: [],
    })
    const [{ id: who } = { id: '' }] = await parties.call<{ id: string }[]>('GET', `/share/buckets/${id}/recipients`)
    const calls = [
      ['list', 'GET /share/buckets'],
      ['list-recipients', `GET /share/buckets/${id}/recipients`],
      ['get-recipient', `GET /share/buckets/${id}/recipients/${who}`],
      ['notify', `POST /share/buckets/${id}/resendNotificationToRecipient/${who}`],
      ['remove-recipient', `DELETE /share/buckets/${id}/recipients/${who}`],
      ['delete', `DELETE /share/buckets/${id}`],
    ] as const
    for (const [variant, call] of calls) {
      await run(`share-${variant}`, { share: { id }, who })
      should((await asked()).what.replace(/\/$/, '')).equal(call)
    }
  })

  it('deposit: the change of its landlord', async () => {
    await run('deposit-change', { deposit: { id: 'deposit-funded-1' } })
    should((await asked()).body).deepEqual({
      landlord: { organizationNumber: '999999999', address: { street: 'Storgata 3', city: 'Bergen' } },
    })
  })

  it('pending: only this kind, this client and this age', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const item = (id: string, more: Partial<PendingItem>): PendingItem => ({
      wait: `w-${id}`,
      kind: 'share',
      id,
      title: id,
      since: ago(6),
      client: 'c',
      waitingFor: [],
      node: { id: 'n1', name: '', flow: 'Payslips' },
      replica: 'one',
      ...more,
    })
    const items = [
      item('young', { since: ago(4) }),
      item('old', {}),
      item('older', { since: ago(90) }),
      item('other', { client: 'd' }),
      item('document', { kind: 'document', since: ago(90) }),
    ]
    const no = () => Promise.resolve(false)
    const list = () => Promise.resolve(items)
    const forget = registerPending(RED, 'test', {
      list,
      find: () => Promise.resolve(undefined),
      askNow: no,
      stopWaiting: no,
    })
    try {
      const idsOf = ({ payload }: Record<string, unknown>) => (payload as PendingItem[]).map(({ id }) => id)
      should(idsOf(await run('pending-set', { which: 'document', who: 'c', age: 1 }))).deepEqual(['document'])
      // Filtered by the name of the client.
      should(idsOf(await run('pending-client', {}))).deepEqual(['older', 'old'])
      should(idsOf(await run('pending-dropped', {}))).have.length(items.length)
    } finally {
      forget()
    }
  })

  it('subflow: the client and the title of its instance', async () => {
    const flow = placed(load('test/fixtures/flows-1.0.json'), { service: service.url, site: site.url })
    const more = flow.flatMap((one) => {
      if (one.type === 'subflow:subflow') return [{ ...one, z: 'f', wires: [['out0']] }]
      return one.id === 'subflow' || one.z === 'subflow' || one.type === 'eid-client' ? [one] : []
    })
    const running = await startFlow({ type: 'eid-create-document', module: create, more })
    const signer = {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    }
    const contactDetails = { email: 'kari.nordmann@example.com' }
    const dataToSign = { fileName: 'a.txt', base64Content: 'YWdyZWVk' }
    running.send({ base: { contactDetails, dataToSign, signers: [signer] } }, 'subflow-set')
    should(await running.next()).have.property('documentId')
    should((await asked()).body).have.properties({ title: 'Lease', contactDetails, dataToSign })
    await stopFlow()
  })
})
