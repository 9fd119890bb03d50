/** The short form of `npm run soak`: half a circle of faults, and proof that the soak finds faults. @rest */
import should from 'should'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSoak } from './drive'
import { createEntry, judge } from './entry'
import { personal } from './messages'
import { createPlan, fullCircle } from './plan'
import { findSecrets, writtenIn } from './search'
import { clientSecret } from './service'
import { describe as describeResult, isClean } from './table'

describe('soak', () => {
  it('loses, doubles, leaks and logs nothing, with faults at every call and a killed Node-RED', async () => {
    const result = await runSoak(
      { seed: 4711, batches: Math.ceil(fullCircle / 2), perKind: 1, kills: 1, deployedBatches: 0 },
      () => undefined,
    )
    should(isClean(result)).be.true(describeResult(result))
  })

  it('plans the same for the same seed', () => {
    const options = { seed: 1, batches: 3, perKind: 2, kills: 1, deployedBatches: 1 }
    should(createPlan(options)).deepEqual(createPlan(options))
    should(createPlan(options)).not.deepEqual(createPlan({ ...options, seed: 2 }))
  })

  it('finds secrets, tokens and personal data', () => {
    const folder = mkdtempSync(join(tmpdir(), 'eid-search-'))
    writeFileSync(join(folder, 'one.txt'), `a ${clientSecret} and a-token`)
    writeFileSync(join(folder, 'two.txt'), `{"email":"ola1@${personal.mail}"}`)
    should(findSecrets(folder, ['a-token']).length).equal(3)
    rmSync(folder, { recursive: true })
  })

  it('follows no link, in a circle or out of the folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'eid-search-'))
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub', 'one.txt'), 'a-token')
    symlinkSync(folder, join(folder, 'sub', 'again'), 'dir')
    should([...writtenIn(folder).keys()]).deepEqual([join('sub', 'one.txt')])
    rmSync(folder, { recursive: true })
  })

  it('reports what was lost, ended twice, doubled or wrongly reported', () => {
    const entry = (ends: string[], outcome?: string) => ({
      ...createEntry(1, 'create-document', { msg: {}, subject: 'x', operation: 'createDocument' }),
      ends,
      outcome,
    })
    const good = { lost: false, endedTwice: false, doubled: false, wrongOutcome: false }
    should(judge(entry(['create-document/0']), 1)).deepEqual(good)
    should(judge(entry(['caught'], 'unknown'), 1)).deepEqual(good)
    should(judge(entry([]), 0)).deepEqual({ ...good, lost: true })
    should(judge(entry(['create-document/0', 'caught'], 'unknown'), 1)).deepEqual({ ...good, endedTwice: true })
    should(judge(entry(['create-document/0']), 2)).deepEqual({ ...good, doubled: true })
    should(judge(entry(['caught'], 'not-done'), 1)).deepEqual({ ...good, wrongOutcome: true })
    should(judge(entry(['create-document/0']), 0)).deepEqual({ ...good, wrongOutcome: true })
    // A message that may have been sent before is marked. A second end, or a second deposit of a list, is then allowed.
    const twice = entry(['wait/0', 'wait/0'])
    should(judge({ ...twice, again: 1 }, 1)).deepEqual(good)
    const list = { ...entry(['batch/1']), rows: 3, done: 3 }
    should(judge(list, 3)).deepEqual(good)
    should(judge(list, 4)).deepEqual({ ...good, doubled: true })
    should(judge({ ...list, rowsAgain: 1 }, 4)).deepEqual(good)
    should(judge(list, 2)).deepEqual({ ...good, wrongOutcome: true })
  })
})
