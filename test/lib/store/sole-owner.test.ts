/**
 * Several processes want to own the stored items in one user folder: at any time, exactly one of the running ones does.
 */
import should from 'should'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { own } from '../../../lib/store/local/sole-owner'
import { programOf } from '../../support/program'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

interface Wanting {
  readonly child: ChildProcess
  readonly told: string[]
}

describe('what is kept in a user folder', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const running: Wanting[] = []
  const want = async (path: string, name = 'waits') => {
    const child = fork(await programOf(join(__dirname, 'owner-child.ts')), [path, name], { execArgv: [] })
    const wanting: Wanting = { child, told: [] }
    child.on('message', (message) => void wanting.told.push(String(message)))
    running.push(wanting)
    return wanting
  }
  const owners = () => running.filter(({ child, told }) => child.signalCode === null && told.includes('owns'))
  const kill = async ({ child }: Wanting) => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const haveAsked = (some: readonly Wanting[]) => until(() => some.every(({ told }) => told.length > 0) || undefined)

  beforeEach(() => void (folder = temporaryFolder()))
  afterEach(async () => {
    for (const one of running.splice(0)) if (one.child.signalCode === null) await kill(one)
    folder.remove()
  })

  it('has one owner of five that begin at once, and the next one when that is killed', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => want(folder.path)))
    for (let round = 0; round < 4; round++) {
      await until(() => owners().length > 0 || undefined)
      const living = all.filter(({ child }) => child.signalCode === null)
      for (const { told } of living) if (!told.includes('owns')) told.length = 0
      await haveAsked(living)
      const [owner, ...others] = owners()
      should(others).deepEqual([])
      const refused = living.filter((one) => one !== owner).map(({ told }) => told[0] ?? '')
      should(refused.every((text) => text.startsWith('refused by '))).be.true()
      if (owner) await kill(owner)
    }
  })

  it('stays with a process that is busy or stopped for a while', async () => {
    const first = await want(folder.path)
    await haveAsked([first])
    first.child.kill('SIGSTOP')
    const second = await want(folder.path)
    await haveAsked([second])
    should(second.told.includes('owns')).be.false()
    first.child.kill('SIGCONT')
    const before = second.told.length
    await until(() => second.told.length > before || undefined)
    should(second.told.at(-1)).match(new RegExp(`^refused by ${first.child.pid} `))
  })

  it('is owned name by name: two flow files in one folder have nodes of their own', async () => {
    const both = [await want(folder.path, 'one/waits'), await want(folder.path, 'other/waits')]
    await until(() => both.every(({ told }) => told.includes('owns')) || undefined)
  })

  it('is owned once in a folder with a long path too', async () => {
    const long = join(folder.path, 'x'.repeat(120))
    mkdirSync(long)
    const first = await want(long)
    await haveAsked([first])
    const second = await want(long)
    await haveAsked([second])
    should([first.told[0], second.told[0]?.slice(0, 10)]).deepEqual(['owns', 'refused by'])
  })

  it('leaves nothing of those that were killed, and stays ours for every part of this process', async () => {
    const dead = await want(folder.path)
    await haveAsked([dead])
    await kill(dead)
    await own(folder.path, 'waits')
    await own(folder.path, 'waits')
    should(readdirSync(join(folder.path, 'eid', 'owners'))).have.length(1)
  })
})
