/**
 * Archives whose processes are killed repeatedly or run out of disk space: the files of each line are complete, nothing
 * stays half done, and several processes in one folder do not break the chain.
 *
 * @rest
 */
import should from 'should'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { reportOf } from '../../support/files/archive-folder'
import { programOf } from '../../support/program'
import { temporaryFolder } from '../../support/temporary-folder'

const ids = Array.from({ length: 40 }, (_none, n) => `d-${n}`)
const whole = { documents: 40, whole: 40, missing: [], changed: [], added: [], chain: 'whole' }
const linesIn = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1

describe('an archive whose process is killed', function () {
  let program: string
  let folder: string
  let remove: () => void
  before(async () => (program = await programOf(join(__dirname, '../../support/files/archiving-program.ts'))))
  beforeEach(() => void ({ path: folder, remove } = temporaryFolder()))
  afterEach(() => remove())

  /** Resolves to the exit code; null if the process was killed. */
  const run = async (name: string, afterMs?: number, documents = ids) => {
    const child = fork(program, [folder, name, ...documents], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    await once(child, 'message')
    const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), afterMs)
    await ended
    clearTimeout(timer)
    return child.exitCode
  }

  it('loses nothing and leaves nothing half done when the process is killed at any moment', async () => {
    let killed = 0
    for (let n = 0; n < 8; n++) {
      if ((await run('a', 1 + 2 * n)) === null) killed++
      const report = await reportOf(folder)
      // The files of a line are unchanged, or their folder still lacks its final name.
      should(report?.changed ?? []).deepEqual([])
      should(report?.chain ?? 'whole').equal('whole')
    }
    should(killed).be.above(0)
    should(await run('a')).equal(0)
    should(await reportOf(folder)).deepEqual(whole)
    should(linesIn(join(folder, 'index-a.jsonl'))).equal(40)
    should(readdirSync(folder)).have.length(40 + 1)
  })

  it('has each document once, and whole chains, when three processes write to one folder', async () => {
    should(await Promise.all(['a', 'b', 'c'].map((name) => run(name)))).deepEqual([0, 0, 0])
    should(await reportOf(folder)).deepEqual(whole)
    const names = readdirSync(folder)
    should(names.filter((name) => name.startsWith('Lease'))).have.length(40)
    const indexes = names.filter((name) => name.endsWith('.jsonl'))
    should(indexes.map((name) => linesIn(join(folder, name))).reduce((sum, count) => sum + count)).equal(40)
  })

  it('breaks no chain when three processes in one folder are killed, and finishes what those have left', async () => {
    for (let n = 0; n < 4; n++) {
      await Promise.all(['a', 'b', 'c'].map((name, at) => run(name, 3 + 6 * n + 2 * at)))
      const report = await reportOf(folder)
      should(report?.changed ?? []).deepEqual([])
      should(report?.chain ?? 'whole').equal('whole')
    }
    // Two of the processes never come back. When their unfinished folders are an hour old, others take them over.
    const old = new Date(Date.now() - 2 * 3_600_000)
    const age = (path: string) => utimesSync(path, old, old)
    for (const name of readdirSync(folder).filter((one) => one.startsWith('.unfinished-index-'))) {
      for (const file of readdirSync(join(folder, name))) age(join(folder, name, file))
      age(join(folder, name))
    }
    should(await run('a')).equal(0)
    should(await reportOf(folder)).deepEqual(whole)
    should(readdirSync(folder).filter((name) => name.startsWith('Lease'))).have.length(40)
  })

  it('keeps its lines whole when the disk is full in the middle of one, and continues afterwards', async function () {
    if (process.platform === 'win32') return this.skip()
    // A file may have at most this many blocks; the index is the first file that is too large.
    for (const blocks of [1, 3, 8]) {
      const limited = `ulimit -f ${blocks} && exec "$0" "$@"`
      const child = spawn('sh', ['-c', limited, process.execPath, program, folder, 'a', ...ids], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      should(code).equal(1)
      const report = await reportOf(folder)
      const documents = report?.documents ?? 0
      should(documents).be.below(40)
      should(report ?? whole).deepEqual({ ...whole, ...(report && { documents, whole: documents }) })
      if (documents > 0) should(readFileSync(join(folder, 'index-a.jsonl'), 'utf8')).match(/\n$/)
    }
    should(await run('a')).equal(0)
    should(await reportOf(folder)).deepEqual(whole)
    should(linesIn(join(folder, 'index-a.jsonl'))).equal(40)
  })

  it('gives every process the same index again after a restart', async () => {
    for (const name of ['a', 'b', 'a', 'b'])
      await run(name, undefined, name === 'a' ? ids.slice(0, 2) : ids.slice(2, 4))
    await run('b', undefined, ids.slice(4, 6))
    await run('a', undefined, ids.slice(6, 8))
    should([linesIn(join(folder, 'index-a.jsonl')), linesIn(join(folder, 'index-b.jsonl'))]).deepEqual([4, 4])
    should(await reportOf(folder)).containDeep({ documents: 8, whole: 8, added: [], chain: 'whole' })
  })
})
