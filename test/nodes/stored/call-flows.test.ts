/** The flow file of 1.0: operations on existing shares and deposits follow their stored settings. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { createShare } from '../../support/share-party'
import { useStored, type StoredBench } from '../../support/stored-nodes'

describe('the stored settings of 1.0', () => {
  const stored = useStored()
  let { service, parties, run, asked } = {} as StoredBench
  beforeEach(() => void ({ service, parties, run, asked } = stored()))

  it('share: the form over the object in the message, and a recipient in the spellings of the client', async () => {
    const id = await createShare(service, parties, 5)
    await run('share-change', { share: { id }, of: 'For May', base: { unknown: 'kept' } })
    should(await asked()).match({ what: `PATCH /share/buckets/${id}` })
    should((await asked()).body).deepEqual({
      unknown: 'kept',
      reference: 'r-1',
      title: 'Payslips of May',
      description: 'For May',
      contactDetails: { name: 'Kari Nordmann', email: 'kari.nordmann@example.com', phone: '99999999' },
    })
    const [recipient] = await parties.call<{ id: string }[]>('GET', `/share/buckets/${id}/recipients`)
    await run('share-recipient', { share: { id }, who: recipient?.id, mail: 'kari.nordmann@example.com' })
    const { what, body } = await asked()
    should(what).equal(`PATCH /share/buckets/${id}/recipients/${recipient?.id}`)
    const { expires, ...rest } = body as { expires: string }
    should((Date.parse(expires) - Date.now()) / 86_400_000).be.within(29.9, 30)
    should(rest).deepEqual({
      firstname: 'Kari',
      lastname: 'Nordmann',
      email: 'kari.nordmann@example.com',
      mobile: { countryCode: 47, number: '99999999' },
      uploads: [],
      content: [],
      authentication: [
        {
          identityProvider: 'NO_EID_MOBILE',
          identityProviderUniqueId: 'p-1',
          ssn: '00000000000',
          dateOfBirth: '311290',
        },
      ],
      notification: { setup: { request: 'SendBoth', reminder: 'SendSms' }, language: 'EN' },
      oneTimeLogin: true,
    })
  })

  it('deposit: a new one with all that was filled in, a list, and whether one is funded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eid-test-'))
    writeFileSync(join(folder, 'rent.pdf'), '%PDF')
    process.env.EID_TEST_FOLDER = folder
    const msg = { times: 3, paper: 'rent.pdf', mail: 'ola.nordmann@example.com', base: { unknown: 'kept' } }
    await run('deposit-create', msg)
    delete process.env.EID_TEST_FOLDER
    rmSync(folder, { recursive: true })
    const { contract, ...rest } = (await asked()).body as { contract: Record<string, string> }
    should(contract).have.properties({
      dataToSign: { rentContractPDF: Buffer.from('%PDF').toString('base64') },
      depositAmount: 27000,
      monthlyRent: 9000,
      depositFactor: 3,
    })
    // A day alone begins or ends in the time zone of Node-RED.
    should(contract.from).match(/^2031-01-01T00:00:00[+-]/)
    should(contract.to).match(/^2034-01-01T23:59:59[+-]/)
    should((Date.parse(contract.paymentDeadline ?? '') - Date.now()) / 86_400_000).be.within(29.9, 30)
    should(rest).deepEqual({
      unknown: 'kept',
      reference: 'r-1',
      externalId: 'lease-0001',
      tenants: [
        {
          externalId: 'ola-1',
          aml: true,
          info: {
            firstName: 'Ola',
            lastName: 'Nordmann',
            email: 'ola.nordmann@example.com',
            mobile: '+4799999999',
            nationality: 'NO',
            address: { street: 'Storgata 1', postalCode: '0001', city: 'Oslo', country: 'NO' },
          },
          ui: { language: 'NO' },
          flow: 'redirect',
          redirectSettings: {
            success: 'https://our.example/signed',
            cancel: 'https://our.example/canceled',
            error: 'https://our.example/failed',
          },
        },
      ],
      landlord: {
        name: 'Utleie',
        organizationNumber: '999999999',
        ssn: '00000000000',
        address: { street: 'Storgata 2', postalCode: '0002', city: 'Oslo', country: 'NO' },
        representativeSignature: true,
      },
      rentObject: { address: 'Storgata 1', address2: 'H0101', postalCode: '0001', city: 'Oslo', country: 'NO' },
      contactDetails: { email: 'kari.nordmann@example.com' },
      advanced: { tags: ['rent', 'oslo'] },
    })
    await run('deposit-list', {})
    const { fromDate, ...query } = (await asked()).query
    should(query).deepEqual({ status: 'PAID', limit: '5', offset: '0' })
    should((Date.now() - Date.parse(fromDate ?? '')) / 86_400_000).be.within(6.9, 7.1)
    should(await run('deposit-get', { deposit: { id: 'deposit-funded-1' } })).have.property('funded', true)
    should((await asked()).query).deepEqual({ queryPayment: 'true' })
  })
})
