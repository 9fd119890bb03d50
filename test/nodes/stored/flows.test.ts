/** The flow file of 1.0: clients, documents, deposits, embedded pages and events follow their stored settings. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { stopFlow } from '../../support/flow'
import { startService } from '../../support/service'
import { useStored, type StoredBench } from '../../support/stored-nodes'
import { until } from '../../support/time'
import { saying } from '../../support/wording'

const deposit = { id: 'deposit-funded-2' }

describe('the stored settings of 1.0', () => {
  const stored = useStored()
  let { service, site, parties, start, run, asked } = {} as StoredBench
  beforeEach(() => void ({ service, site, parties, start, run, asked } = stored()))

  it('client: addresses, scopes, repetition and connections', async () => {
    const own = await startService()
    try {
      const flow = await start('request-set', own.url)
      await own.fault({ operation: 'mockEvent', kind: 'status', status: 429, count: 1 })
      flow.send({})
      await flow.next()
      const [token, ...calls] = await own.requests()
      should(token?.body).match(/scope=deposit_write\+deposit_read\+share_write.*document_read$/)
      should(calls).have.length(2)
      await own.fault({ operation: 'mockEvent', kind: 'status', status: 429, count: 2 })
      flow.send({})
      should((await flow.caught()).error.code).equal('EID_RATE_LIMITED')
    } finally {
      await own.close()
    }
  })

  it('create document: the form over the object in the message', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eid-test-'))
    writeFileSync(join(folder, 'signed by hand.txt'), 'agreed')
    process.env.EID_TEST_FOLDER = folder
    const from = { of: 'Storgata 1', mail: 'ola.nordmann@example.com', paper: 'signed by hand.txt' }
    await run('create-document-set', { ...from, base: { unknown: 'kept' } })
    delete process.env.EID_TEST_FOLDER
    rmSync(folder, { recursive: true })
    const { what, body } = await asked()
    should(what).equal('POST /signature/documents')
    const { advanced, ...rest } = body as { advanced: { tags: string[]; timeToLive: { deadline: string } } }
    should(advanced).have.properties({ requiredSignatures: 1, attachments: 1 })
    should(advanced.timeToLive).have.property('deleteAfterHours', 336)
    should((Date.parse(advanced.timeToLive.deadline) - Date.now()) / 86_400_000).be.within(29.9, 30)
    should(advanced.tags).deepEqual(['rent', 'oslo'])
    const textsOf = (occasion: string) => ({
      email: [
        { language: 'NO', subject: `Subject of ${occasion}`, text: `Text of ${occasion}`, senderName: 'Utleie AS' },
      ],
      sms: [{ language: 'NO', text: `SMS of ${occasion}`, sender: 'Utleie AS' }],
    })
    const formFields = [
      { key: 'size', description: 'Shoe size', type: 'text', required: true, regex: '\\d+' },
      { key: 'news', description: 'Newsletter', type: 'checkbox' },
    ]
    const dialogs = {
      before: { useCheckBox: true, title: 'Before', message: 'Read it first', formFields },
      after: { title: 'After', message: 'Thank you' },
    }
    should(rest).deepEqual({
      unknown: 'kept',
      reference: 'r-1',
      title: 'Lease',
      description: 'Storgata 1',
      externalId: 'lease-0001',
      dataToSign: {
        fileName: 'lease.txt',
        base64Content: 'YWdyZWVk',
        convertToPDF: false,
        packaging: { signaturePackageFormats: ['pades'] },
      },
      notification: {
        signRequest: textsOf('request'),
        reminder: {
          ...textsOf('reminder'),
          chronSchedule: '0 0 8 ? * MON-FRI',
          firstReminderAfter: 1,
          maxReminders: 4,
        },
        signatureReceipt: textsOf('signed'),
        canceledReceipt: textsOf('canceled'),
        expiredReceipt: textsOf('expired'),
        finalReceipt: {
          ...textsOf('allSigned'),
          includeSignedFile: true,
          additionalRecipients: [{ language: 'NO', email: 'archive@example.com' }],
        },
      },
      contactDetails: { email: 'kari.nordmann@example.com' },
      signers: [
        {
          externalSignerId: 'ola-1',
          order: 1,
          signatureType: { mechanism: 'pkisignature', signatureMethods: ['no_eid', 'sms_otp'] },
          signerInfo: {
            firstName: 'Ola',
            lastName: 'Nordmann',
            email: 'ola.nordmann@example.com',
            mobile: { countryCode: '47', number: '99999999' },
          },
          required: true,
          authentication: { mechanism: 'off' },
          notifications: {
            setup: {
              request: 'sendEmail',
              reminder: 'sendEmail',
              signatureReceipt: 'sendEmail',
              finalReceipt: 'sendEmail',
              canceled: 'sendEmail',
              expired: 'sendEmail',
            },
          },
          ui: {
            language: 'NO',
            styling: {
              colorTheme: 'Teal',
              themeMode: 'Light',
              spinner: 'Classic',
              topBar: 'Hidden',
              backgroundColor: 'navy',
            },
            dialogs,
          },
          redirectSettings: {
            redirectMode: 'redirect',
            success: 'https://ola.example/signed',
            cancel: 'https://ola.example/canceled',
            error: 'https://ola.example/failed',
            domain: 'ola.example',
          },
        },
        {
          externalSignerId: 'kari-1',
          signatureType: { mechanism: 'pkisignature' },
          signerInfo: { firstName: 'Kari', lastName: 'Nordmann' },
          ui: {
            styling: {
              colorTheme: 'Black',
              themeMode: 'Dark',
              spinner: 'Cubes',
              topBar: 'OnlyMenu',
              backgroundColor: '#123456',
            },
            dialogs,
          },
          redirectSettings: {
            redirectMode: 'redirect',
            success: 'https://our.example/signed',
            cancel: 'https://our.example/canceled',
            error: 'https://our.example/failed',
            domain: 'our.example',
          },
        },
      ],
    })
  })

  it('document: each operation with what belongs to it', async () => {
    const { documentId: which, signers } = await parties.createDocument('lease-0001')
    const ids = { which, who: signers.map(({ id }) => id) }
    should(await run('document-status', ids))
      .have.propertyByPath('payload', 'documentStatus')
      .equal('unsigned')
    await run('document-list', {})
    const { toDate, ...query } = (await asked()).query
    should(query).deepEqual({
      externalId: 'lease-0001',
      title: 'Lease',
      status: 'unsigned',
      fromDate: '2026-01-01T00:00:00Z',
      limit: '5',
      offset: '0',
    })
    should((Date.parse(toDate ?? '') - Date.now()) / 86_400_000).be.within(0.9, 1)
    const folder = mkdtempSync(join(tmpdir(), 'eid-test-'))
    const target = join(folder, 'lease.bin')
    should(await run('document-download', { ...ids, target }))
      .have.propertyByPath('payload', 'path')
      .equal(target)
    should(readFileSync(target, 'utf8')).equal('agreed')
    rmSync(folder, { recursive: true })
    await run('document-remind', ids)
    should((await asked()).body).deepEqual({ notificationSetting: 'sendBoth', signers: { [String(ids.who[0])]: null } })
    await run('document-cancel', ids)
    should((await asked()).query).deepEqual({ reason: 'Wrong flat' })
  })

  it('deposit cancel and terminate: the id, the split, the sum that it must have, and the trial', async () => {
    await run('deposit-cancel-set', { deposit: { id: 'deposit-unfunded-1' } })
    should((await asked()).what).equal('POST /deposit/personal/deposit-unfunded-1/cancel')
    await run('deposit-terminate-split', { deposit, rest: 2000 })
    should((await asked()).body).deepEqual({
      category: 'SPLIT',
      username: 'kari',
      amount: { tenant: 25000, landlord: 2000 },
      transactionInfo: { landlord: { kid: '0012345674', description: 'Cleaning' } },
    })
    const flow = await start('deposit-terminate-split')
    flow.send({ deposit, rest: 1999 })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    await stopFlow()
    const base = { category: 'TENANT', username: 'ola' }
    const tried = await run('deposit-terminate-try', { deposit, base })
    should(tried.payload).have.property('dryRun', true)
    should(tried.payload).have.propertyByPath('wouldSend', 'body').eql(base)
    should(await service.requests('terminateDeposit')).have.length(1)
  })

  it('embed: the address, its language, its life, who may frame it, and whose messages it believes', async () => {
    const { documentId, signers } = await parties.createDocument('lease-2')
    const embed = await start('embed-document')
    embed.send({ which: documentId, address: signers[0]?.url })
    const made = await embed.next(2)
    should(made.embedUrl).match(/^https:\/\/our\.example\/sign\/[\w-]{43}$/)
    const page = await fetch(site.url + new URL(String(made.embedUrl)).pathname)
    const policy = page.headers.get('content-security-policy') ?? ''
    should(policy).match(/frame-ancestors https:\/\/our\.example/)
    should(policy).match(/frame-src [^;]*https:\/\/provider\.example/)
    const html = await page.text()
    should(html).containEql('<html lang="nb"').and.containEql('"appTimeoutMs":5000')
    await stopFlow()
    const session = await parties.createSession()
    // This client lists its allowed origins, and the sandbox is not one of them.
    const flow = await start('embed-session')
    flow.send({ which: session.id, address: session.url })
    should((await flow.caught()).error.message).match(saying('embed', 'problems.unknownOrigin'))
  })

  it('events: only these types and tags, each until it comes back', async () => {
    const flow = await start('events-set')
    const { world } = service.sandbox
    world.emit('document_canceled', { documentId: 'doc-1' }, ['rent'])
    world.emit('document_signed', { documentId: 'doc-2' }, ['other'])
    world.emit('document_signed', { documentId: 'doc-3' }, ['rent'])
    const msg = await flow.next()
    should(msg).have.property('documentId', 'doc-3')
    const before = world.notification.events.size
    should(before).be.above(0)
    flow.send({ event: { id: msg.eventId } })
    await until(() => world.notification.events.size < before || undefined)
    should(flow.waiting().out).equal(0)
  })
})
