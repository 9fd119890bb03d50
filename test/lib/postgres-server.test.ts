/** A killed test run leaves no server and no folder behind. @rest */
import should from 'should'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf } from '../support/program'
import { until } from '../support/time'

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a PostgreSQL of the tests', () => {
  it('ends when the process that started it is killed, and its folder is removed', async () => {
    // A server that was given by its address does not belong to the tests, so they would not stop it.
    const { EID_TEST_POSTGRES: _given, ...env } = process.env
    const child = fork(await programOf(join(__dirname, 'postgres-child.ts')), [], { env })
    const [folder] = (await once(child, 'message')) as [string]
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    should(isAlive(pid)).be.true()
    child.kill('SIGKILL')
    await until(() => !isAlive(pid) && !existsSync(folder))
  })
})

describe('a run of the tests', () => {
  it('removes its folder and stops the programs it has started, even if it is killed', async () => {
    // Without the variable, the child begins a run of its own.
    const { EID_RUN_FOLDER: _ours, ...env } = process.env
    const child = fork(await programOf(join(__dirname, 'run-child.ts')), [], { env })
    const [{ run, path, pid }] = (await once(child, 'message')) as [{ run: string; path: string; pid: number }]
    should(path.startsWith(run)).be.true()
    should([existsSync(path), isAlive(pid)]).eql([true, true])
    child.kill('SIGKILL')
    await until(() => !isAlive(pid) && !existsSync(run))
  })
})
