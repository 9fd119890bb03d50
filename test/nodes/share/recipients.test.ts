/** The rows of recipients in the form of "create share": how recipients identify, and how they are notified. */
import should from 'should'
import node from '../../../nodes/share-create/share-create'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

const recipient = {
  firstName: 'Ola',
  lastName: 'Nordmann',
  email: 'mail',
  emailType: 'msg',
  mobileCountryCode: '47',
  mobileNumber: '99999999',
  uploads: 'slip-1',
  identityProvider: 'NO_EID_WEB',
}
const rows = {
  title: 'Payslips',
  description: 'For May',
  expires: '10',
  expiresType: 'num',
  contentRows: [{ id: 'slip-1', idType: 'str', name: 'Payslip', nameType: 'str' }],
}

describe('a recipient in the form of a share', () => {
  let service: Service
  const start = (settings: object) =>
    startFlow({ type: 'eid-share-create', module: node, settings, client: { baseUrl: service.url } })
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  const sentWith = async (more: object) => {
    const flow = await start({ ...rows, recipientsRows: [{ ...recipient, ...more }] })
    flow.send({ mail: 'ola.nordmann@example.com', number: 99999999 })
    await flow.next()
    const sent = (await service.requests('createBucket')).at(-1)?.body
    const [one] = sent?.recipients as Record<string, unknown>[]
    return one ?? {}
  }
  const refused = async (more: object) => {
    await service.reset()
    const flow = await start({ ...rows, recipientsRows: [{ ...recipient, ...more }] })
    flow.send({ mail: 'ola.nordmann@example.com' })
    const { error } = await flow.caught()
    should(await service.requests('createBucket')).have.length(0)
    return (error.cause.problems as { path: string }[]).map(({ path }) => path)
  }

  it('lets a recipient choose among several identity providers, each with the id that belongs to it', async () => {
    const several = { identityProvider: 'NO_EID_MOBILE, NO_EID_WEB', dateOfBirth: '311290' }
    should((await sentWith(several)).authentication).deepEqual([
      { identityProvider: 'NO_EID_MOBILE', dateOfBirth: '311290' },
      { identityProvider: 'NO_EID_WEB', dateOfBirth: '311290' },
    ])
    await stopFlow()
    should((await sentWith({ ...several, identityProviderUniqueId: 'id-a; id-b' })).authentication).deepEqual([
      { identityProvider: 'NO_EID_MOBILE', identityProviderUniqueId: 'id-a', dateOfBirth: '311290' },
      { identityProvider: 'NO_EID_WEB', identityProviderUniqueId: 'id-b', dateOfBirth: '311290' },
    ])
    await stopFlow()
    should(await refused({ ...several, identityProviderUniqueId: 'id-a' })).deepEqual([
      'recipients[0].identityProviderUniqueId',
    ])
  })

  it('sends an empty list of authentication only when it is chosen that no one need identify', async () => {
    const without = { identityProvider: '', withoutIdentification: 'true' }
    should((await sentWith(without)).authentication).deepEqual([])
    await stopFlow()
    should(await refused({ identityProvider: '' })).deepEqual(['recipients[0].authentication'])
    await stopFlow()
    should(await refused({ withoutIdentification: 'true' })).deepEqual(['recipients[0].withoutIdentification'])
  })

  it('sends the parts of a phone number as what they are, numbers or texts', async () => {
    const numbers = { mobileCountryCode: '47', mobileCountryCodeType: 'num' }
    const one = await sentWith({ ...numbers, mobileNumber: 'number', mobileNumberType: 'msg' })
    should(one.mobile).deepEqual({ countryCode: 47, number: 99999999 })
  })

  it('is sent with the typed More fields unchanged, also empty ones', async () => {
    const flow = await start({ ...rows, recipientsRows: [recipient], more: '{"contactDetails":{"name":""}}' })
    flow.send({ mail: 'ola.nordmann@example.com' })
    await flow.next()
    const sent = (await service.requests('createBucket')).at(-1)?.body
    should(sent?.contactDetails).deepEqual({ name: '' })
  })

  it('names an invalid title once', async () => {
    const flow = await start({ ...rows, recipientsRows: [recipient], title: 'list', titleType: 'msg' })
    flow.send({ mail: 'ola.nordmann@example.com', list: ['Payslips'] })
    const { error } = await flow.caught()
    should((error.cause.problems as { path: string }[]).map(({ path }) => path)).deepEqual(['title'])
  })
})
