/**
 * Several processes want to own the folder of an embedded database: at any time, exactly one of the running ones does.
 */
import should from 'should'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { own } from '../../../lib/store/drivers/sqlite/owner'
import { programOf } from '../../support/program'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

interface Wanting {
  readonly child: ChildProcess
  readonly told: string[]
}

describe('the folder of an embedded database', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const running: Wanting[] = []
  const want = async (path: string, temporary = folder.path) => {
    const child = fork(await programOf(join(__dirname, 'owner-child.ts')), [path], {
      execArgv: [],
      env: { ...process.env, TMPDIR: temporary },
    })
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

  it('is owned once, by whatever path it is reached, and whatever the folders for temporary files are', async () => {
    const long = join(folder.path, 'x'.repeat(120), 'y'.repeat(120))
    const other = join(folder.path, 'temporary')
    const link = join(folder.path, 'link')
    for (const one of [long, other]) mkdirSync(one, { recursive: true })
    symlinkSync(long, link)
    const first = await want(long)
    await haveAsked([first])
    const second = await want(link, other)
    await haveAsked([second])
    should([first.told[0], second.told[0]?.slice(0, 10)]).deepEqual(['owns', 'refused by'])
  })

  it('leaves nothing of those that were killed', async () => {
    const dead = await want(folder.path)
    await haveAsked([dead])
    await kill(dead)
    const { isUnguarded, release } = await own(folder.path)
    should(isUnguarded).be.false()
    should(readdirSync(folder.path).filter((name) => name.endsWith('.owner'))).have.length(1)
    release()
    should(readdirSync(folder.path).filter((name) => name.endsWith('.owner'))).have.length(0)
  })
})
