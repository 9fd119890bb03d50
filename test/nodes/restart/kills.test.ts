/**
 * Node-RED is killed at random moments, also while it starts, with work for each kind of memory: nothing that was
 * confirmed is lost, and what comes out twice is marked. `EID_KILLS=200` sets the number of kills, and `EID_SEED`
 * repeats a run.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../soak/random'
import { reportOf } from '../../support/files/archive-folder'
import { keptIn } from '../../support/kept-items'
import { startAndKill, startProcess, type Arrived, type Started } from '../../support/node-red/killable'
import { startService, type Service } from '../../support/service'
import { pause, until } from '../../support/time'
import { credentials, flowWith } from './kill-flow'
import { jobsOf, type Job, type Kind, type Stage } from './kill-jobs'

const kills = Number(process.env.EID_KILLS ?? 8)
const seed = Number(process.env.EID_SEED ?? Date.now() % 1_000_000)
/** The longest time in milliseconds until a process that starts is killed. */
const longestStart = 1_500
/** A process whose flow runs is killed after at most this many messages have arrived, and some milliseconds more. */
const most = { arrived: 24, milliseconds: 150 }
/** New work is added while there are fewer unfinished jobs than this. */
const mostOpen = 40

type Message = Arrived['msg']
interface Tally {
  jobs: number
  /** Messages that came out again, with a mark. */
  marked: number
  lost: number
  /** Messages that came out again, without a mark. */
  doubled: number
}

const isMarked = ({ redelivered }: Message) => redelivered === true

describe('when Node-RED is killed again and again', () => {
  let service: Service
  let userDir: string
  let red: Started | undefined
  const gone: Arrived[] = []
  const jobs: Job[] = []
  const finished = new Set<Job>()
  const at = (place: string) =>
    [...gone, ...(red?.arrived ?? [])].filter((one) => one.at === place).map(({ msg }) => msg)

  before(async () => {
    service = await startService()
    userDir = mkdtempSync(join(tmpdir(), 'eid-kills-'))
  })
  after(async () => {
    await red?.kill()
    await service.close()
    rmSync(userDir, { recursive: true })
  })

  const archive = () => join(userDir, 'archive')
  const options = () => {
    // The service gives events again only after ten minutes.
    service.sandbox.world.notification.locks.clear()
    return { userDir, flow: flowWith(service.url, archive()), credentials }
  }
  /** Runs the unfinished jobs until they are done or the process is dead; resolves with what went wrong. */
  const work = async (stage: Stage) => {
    const open = jobs.filter((job) => !finished.has(job))
    const ends = await Promise.allSettled(open.map(async (job) => job.run(stage).then(() => finished.add(job))))
    return ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
  }
  /** Kills the process when its flow has sent this many messages, or can't send more, and some milliseconds later. */
  const killRunning = async (count: number, milliseconds: number) => {
    const started = (red = await startProcess(options()))
    let isDead = false
    const working = work({ red: started, at, isDead: () => isDead })
    const arrived = () => started.arrived.filter(({ at: place }) => place !== 'listed').length
    await Promise.race([until(() => isDead || arrived() >= count), working])
    await pause(milliseconds)
    isDead = true
    await started.kill()
    await working
    red = undefined
    gone.push(...started.arrived)
  }
  /** A wait that was stored before its confirmation arrived counts as confirmed too. */
  const confirmStored = () => {
    const waits = keptIn(userDir).filter(({ kind }) => kind === 'waits')
    for (const job of jobs) {
      if (job.kind === 'wait') job.isAccepted ||= waits.some(({ body }) => body.includes(job.id))
    }
  }
  const tally = () => {
    const tallies: Partial<Record<Kind, Tally>> = {}
    for (const job of jobs) {
      const sum = (tallies[job.kind] ??= { jobs: 0, marked: 0, lost: 0, doubled: 0 })
      const out = job.out({ at })
      sum.jobs++
      if (job.isAccepted && out.length === 0) sum.lost++
      sum.marked += out.filter(isMarked).length
      sum.doubled += Math.max(0, out.filter((msg) => !isMarked(msg)).length - 1)
    }
    return tallies
  }
  /** By the name of a row: how often it was sent without a mark, and how many shares exist for it. */
  const rows = async () => {
    const sent = new Map<string, { unmarked: number; made: number }>()
    const of = (name: unknown) => {
      const found = sent.get(String(name)) ?? { unmarked: 0, made: 0 }
      sent.set(String(name), found)
      return found
    }
    for (const msg of at('row')) if (!isMarked(msg)) of((msg.batch as { key: string }).key).unmarked++
    for (const { body, status } of await service.requests('createBucket')) {
      const { title } = (body?.information ?? {}) as { title?: string }
      if (status < 300) of(title).made++
    }
    return [...sent]
  }

  it(`loses nothing that was confirmed in ${kills} kills, and marks what comes out twice`, async () => {
    const random = createRandom(seed)
    for (let kill = 0; kill < kills; kill++) {
      if (jobs.length - finished.size < mostOpen) jobs.push(...(await jobsOf(service, kill)))
      // Every fourth process does not live until its flow runs, or only just.
      if (kill % 4 === 3) gone.push(...(await startAndKill(options(), random.below(longestStart))))
      else await killRunning(random.below(most.arrived), random.below(most.milliseconds))
      confirmStored()
    }
    const last = (red = await startProcess(options()))
    const problems = await work({ red: last, at, isDead: () => false })
    const sums = tally()
    console.log(`      seed ${seed}`)
    for (const [kind, counts] of Object.entries(sums)) console.log(`      ${kind}: ${JSON.stringify(counts)}`)
    should(problems).deepEqual([])
    for (const [kind, { lost, doubled }] of Object.entries(sums))
      should({ kind, lost, doubled }).deepEqual({ kind, lost: 0, doubled: 0 })
    should((await rows()).filter(([, { unmarked, made }]) => unmarked > 1 || made > 1)).deepEqual([])
    const documents = sums.archive?.jobs
    should(await reportOf(archive())).containDeep({
      documents,
      whole: documents,
      missing: [],
      changed: [],
      added: [],
      chain: 'whole',
    })
  })
})
