/** What every store guarantees when its process is killed. The same tests run for each kind of store. */
import should from 'should'
import { until } from '../../support/time'
import { claimed, startChild, storeBench, type Way } from './store-bench'

/** Declares the tests; call it inside a `describe`. */
export function survivesKills(way: Way): void {
  const { place, openStore, closeAll, endLeases } = storeBench(way)

  it('loses nothing that it has confirmed when the process is killed', async () => {
    for (let round = 0; round < 3; round++) {
      const child = await startChild({ place: place(), job: 'keep' })
      await until(() => child.ids.length >= 100 * (round + 1))
      await child.kill()
      const store = await openStore()
      for (const id of child.ids)
        should(((await store.get(id))?.body as { text: string }).text).equal('y'.repeat(2_000))
      const bodies = await Promise.all((await store.list({ limit: 100_000 })).map(({ id }) => store.get(id)))
      should(bodies.every((item) => item !== undefined)).be.true()
      await closeAll()
    }
  })

  it('gives the work of a killed process to the next one, and says that it was handed out before', async () => {
    const store = await openStore()
    for (let n = 0; n < 5; n++) await store.put(`work-${n}`, { body: n, dueMs: 0 })
    await closeAll()
    const child = await startChild({ place: place(), job: 'claim' })
    await until(() => child.ids.length > 0)
    await child.kill()
    await endLeases()
    const claims = await claimed(await openStore(), 5)
    const handedOut = claims.filter((claim) => claim.deliveryCount === 1).map(({ id }) => id)
    should(handedOut.sort()).deepEqual([...child.ids].sort())
    should(claims.filter((claim) => claim.deliveryCount === 0)).have.length(2)
  })
}
