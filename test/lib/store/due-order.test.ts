/** Work leaves the store in the order in which it is due, however often the machine interrupts the process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import fc from 'fast-check'
import type { Clock } from '../../../lib/store/clock'
import { createFileLog } from '../../../lib/store/local/file-log'
import { LocalStore } from '../../../lib/store/local/local'

/** The clocks of a busy machine, which is interrupted after each reading for these milliseconds. */
function busyClock(interruptions: readonly number[]): Clock {
  let [time, reads] = [0, 0]
  const read = (steps: number, from: number) => {
    const seen = Math.floor((from + time) / steps) * steps
    time += interruptions[reads++ % interruptions.length] ?? 0
    return seen
  }
  // The date has a precision of one millisecond, the uptime one of ten.
  return { now: () => read(0.001, 0), epochNow: () => read(1, 1_700_000_000_000), uptime: () => read(10, 90_000_000) }
}

describe('the order in which work is due', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'eid-order-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is the same after a restart, though the clocks are never read at the same moment', async () => {
    let run = 0
    const interruption = fc.oneof(fc.constant(0.3), fc.double({ min: 0.1, max: 15, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(fc.array(interruption, { minLength: 5, maxLength: 40, size: 'max' }), async (interruptions) => {
        const clock = busyClock(interruptions)
        const path = join(folder, String(run++))
        const open = () => new LocalStore({ kind: 'items', onStoreEvent: () => undefined }, createFileLog(path), clock)
        const store = open()
        // Stored first in reverse order, which would decide between two items with the same time.
        const ids = ['first', 'second', 'third', 'fourth']
        for (const id of [...ids].reverse()) await store.put(id, { body: id, dueMs: 3_600_000 })
        for (const [dueMs, id] of ids.entries()) await store.put(id, { body: id, dueMs })
        await store.close()
        const later = open()
        const due: string[] = []
        // Each claim advances these clocks a little.
        for (let claims = 0; claims < 1_000 && due.length < ids.length; claims++)
          due.push(...(await later.claim(1)).map(({ id }) => id))
        await later.close()
        should(due).deepEqual(ids)
      }),
      { numRuns: 60 },
    )
  })
})
