/**
 * The store of several Node-REDs, in a real PostgreSQL, keeps the guarantees of every store: unencrypted, encrypted,
 * and with another isolation level as the database's default.
 *
 *
 */
import { Client } from 'pg'
import { nameOf } from '../../../lib/store/item-name'
import { startPostgres, type PostgresServer } from '../../support/servers/postgres-server'
import { keepsPromises } from './store.contract'
import type { Way } from './store-bench'
import type { StoreLocation } from './store-places'
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
    async corrupt(place: StoreLocation, id) {
      if (place.way !== 'postgres') return
      const client = new Client({ connectionString: place.url })
      await client.connect()
      const spoiled = `update eid_kept set body = '{"torn' where ns = $1 and key = $2`
      await client.query(spoiled, [place.namespace, nameOf(id)])
      await client.end()
    },
  })
  describe('in the clear', () => {
    keepsPromises(way(''))
    sharesOutWork(way(''))
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
