/**
 * The other sides of a node under test, for all tests of a file: the service, its parties, and those who come by HTTP.
 */
import { startParties, type Parties } from './parties'
import { startPublicSide, type PublicSide } from './public-site'
import { startService, type Service } from './service'

export interface Sides {
  readonly service: Service
  readonly parties: Parties
}

/** One service for the file, empty before each test; `ready` gets it then. */
export function useParties(ready: (sides: Sides) => void): void {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    ready({ service, parties: await startParties(service) })
  })
}

/** The same, and a web server with the public addresses of the nodes. */
export function useSides(ready: (sides: Sides & { readonly site: PublicSide }) => void): void {
  let site: PublicSide
  before(async () => (site = await startPublicSide()))
  after(() => site.close())
  useParties((sides) => ready({ ...sides, site }))
}
