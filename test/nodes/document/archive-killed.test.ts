/** An archive whose process is killed again and again: what a line names is whole, and nothing is left half done. */
import should from 'should'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBack } from '../../../nodes/document/archive/check-archive'
import { programOf } from '../../support/program'

const never = new AbortController().signal

describe('an archive whose process is killed', () => {
  it('loses nothing and leaves nothing half done when the process is killed at any moment', async () => {
    const program = await programOf(join(__dirname, '../../support/archiving-program.ts'))
    const ids = Array.from({ length: 40 }, (_none, n) => `d-${n}`)
    const folder = mkdtempSync(join(tmpdir(), 'eid-archive-'))
    const run = async (afterMs: number) => {
      const child = fork(program, [folder, ...ids], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      await once(child, 'message')
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      await ended
      clearTimeout(timer)
      return child.exitCode
    }
    let killed = 0
    for (let n = 0; n < 20; n++) {
      if ((await run(1 + n)) === null) killed++
      const report = await readBack(folder, never)
      // What a line names is as it was written, or waits for its name.
      should(report?.changed ?? []).deepEqual([])
      should(report?.chain ?? 'whole').equal('whole')
    }
    should(killed).be.above(0)
    should(await run(60_000)).equal(0)
    const count = ids.length
    should(await readBack(folder, never)).deepEqual({
      documents: count,
      whole: count,
      missing: [],
      changed: [],
      added: [],
      chain: 'whole',
    })
    should(readFileSync(join(folder, 'index.jsonl'), 'utf8').split('\n')).have.length(count + 1)
    should(readdirSync(folder)).have.length(count + 2)
    rmSync(folder, { recursive: true })
  })
})
