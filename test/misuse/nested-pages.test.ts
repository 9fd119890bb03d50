/** Two pages of "overview", where one has an address that belongs to the other. */
import should from 'should'
import node from '../../nodes/overview/overview'
import { removeFlow, startFlow } from '../support/flow'
import { kari, overviewUsers } from '../support/overview-users'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'

describe('a second overview page', () => {
  let service: Service
  let site: PublicSide
  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  const start = (first: string, second: string) =>
    startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module],
      settings: { path: first },
      secrets: { users: overviewUsers },
      client: { baseUrl: service.url },
      more: [{ id: 'second', z: 'f', type: 'eid-overview', path: second }],
      moreSecrets: { second: { users: overviewUsers } },
    })
  const opens = (path: string) => until(async () => (await fetch(site.url + path, { headers: kari })).status === 200)

  for (const [first, second] of [
    ['/contracts', '/contracts/rows'],
    ['/contracts', '/contracts/press/more'],
    ['/contracts/rows.csv', '/contracts'],
  ] as const) {
    it(`is refused at ${second} when ${first} is open, in either order`, async () => {
      const flow = await start(first, second)
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.cause.problems).match([{ path: 'path' }])
    })
  }

  it('is open beside those addresses', async () => {
    await start('/contracts', '/contracts/archived')
    await opens('/contracts')
    await opens('/contracts/archived')
  })
})
