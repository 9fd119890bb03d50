/**
 * What surrounds a node under test, for all tests of a file: the service, its other parties, and the node's public
 * addresses.
 */
import { startParties, type Parties } from './parties'
import { startPublicSide, type PublicSide } from './public-site'
import { startService, type Service } from './service'

interface Sides {
  readonly service: Service
  readonly parties: Parties
}

/** Starts one service for the file. Empties the service before each test, and then passes it to `ready`. */
export function useParties(ready: (sides: Sides) => void): void {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    ready({ service, parties: await startParties(service) })
  })
}

/** Does the same as `useParties`, and starts a web server for the public addresses of the nodes. */
export function useSides(ready: (sides: Sides & { readonly site: PublicSide }) => void): void {
  let site: PublicSide
  before(async () => (site = await startPublicSide()))
  after(() => site.close())
  useParties((sides) => ready({ ...sides, site }))
}
