/**
 * The store of several Node-REDs, in a real PostgreSQL, keeps the guarantees of every store: unencrypted, encrypted,
 * and with another isolation level as the database's default.
 *
 * @rest
 */
import { itemName } from '../../../lib/store/item-name'
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server'
import { keepsPromises } from './store.contract'
import { changeItems, endSharedLeases, type Way } from './store-bench'
import { survivesKills } from './store-kill.contract'
import { sharesOutWork } from './store-work.contract'

describe('a store in PostgreSQL', () => {
  let server: PostgresServer
  let number = 0
  before(async () => {
    server = await startPostgres()
  })
  after(() => server.stop())

  const way = (key: string, isolation?: 'serializable'): Way => ({
    shared: true,
    newPlace: () =>
      Promise.resolve({
        way: 'postgres',
        url: server.url,
        namespace: `test-${++number}`,
        key,
        ...(isolation && { isolation }),
      }),
    corrupt: (place, id) => changeItems(place, `body = '{"torn' where ns = $1 and key = $2`, itemName(id)),
    endLeases: endSharedLeases,
  })
  describe('in the clear', () => {
    keepsPromises(way(''))
    sharesOutWork(way(''))
    survivesKills(way(''))
  })
  describe('whose sessions are serializable', () => {
    keepsPromises(way('', 'serializable'))
    sharesOutWork(way('', 'serializable'))
  })
  describe('encrypted', () => {
    keepsPromises(way('of the tests'))
    sharesOutWork(way('of the tests'))
  })
})
