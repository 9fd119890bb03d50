/**
 * Three Node-REDs share the approvals on one database: approvers answer at different ones, at the same moment, while one
 * of them is killed or paused. Each approved message leaves once.
 *
 * @rest
 */
import should from 'should'
import { approverRow, idsOf, nins, ola } from '../support/approve-flow'
import { createVisitor, type Visitor } from '../support/approval-visitor'
import { startProcess, type Started } from '../support/node-red/killable'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import type { HttpServer } from '../support/servers/http-server'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { inTurns } from './in-turns'
import { startRoundRobin } from './round-robin'
import { figures } from './seen'

const outputs = ['approved', 'rejected', 'expired', 'notices']

/** An approval, and the browsers of its two approvers, who have identified. */
interface Open {
  readonly note: string
  readonly people: { readonly page: string; readonly visitor: Visitor }[]
}

describe('approvals that three Node-REDs share', () => {
  let server: PostgresServer
  let service: Service
  let proxy: HttpServer
  let reds: Started[] = []
  const all: Started[] = []
  const folders: { remove(): void }[] = []

  before(async () => {
    server = await startPostgres()
    service = await startService()
    proxy = await startRoundRobin(() => reds.map(({ url }) => url))
  })
  beforeEach(async () => {
    const missing = Array.from({ length: 3 - reds.length }, () => start())
    reds.push(...(await Promise.all(missing)))
  })
  after(async () => {
    await Promise.all(reds.map((one) => one.kill()))
    await proxy.close()
    await service.close()
    await server.stop()
    for (const one of folders) one.remove()
  })

  const start = async () => {
    const folder = temporaryFolder()
    folders.push(folder)
    const approve = {
      id: 'approve',
      z: 'f',
      type: 'eid-approve',
      client: 'c',
      shared: 's',
      what: 'Release the deposit',
      approversRows: [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann')],
      publicUrl: proxy.url,
      wires: outputs.map((id) => [id]),
    }
    const live = { baseUrl: service.url, environment: 'live', scopes: 'identify' }
    const started = await startProcess({
      userDir: folder.path,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, ...live },
        { id: 's', type: 'eid-store', address: server.url, takeOver: 2 },
        { ...approve, required: '2' },
        { ...approve, id: 'one', path: '/one', required: '1' },
        { id: 'catch', z: 'f', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
        ...[...outputs, 'errors'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
      credentials: {
        c: { clientId: 'sandbox', clientSecret: 'sandbox' },
        approve: idsOf({ per: nins.per, kari: nins.kari }),
        one: idsOf({ per: nins.per, kari: nins.kari }),
      },
    })
    all.push(started)
    // It answers 503 until it has opened the shared store.
    for (const path of ['approve', 'one'])
      await until(async () => (await fetch(`${started.url}/${path}/x`)).status === 410)
    return started
  }
  const arrivedAt = (place: string, note: string) =>
    all.flatMap(({ arrived }) => arrived).filter(({ at, msg }) => at === place && msg.note === note)
  /** Where a message has ended, at all Node-REDs. */
  const endsOf = (note: string) =>
    ['approved', 'rejected', 'expired', 'errors'].flatMap((place) => arrivedAt(place, note).map(() => place))
  /** The notices of an approval: only their addresses tell which approval they are about. */
  const notices = () => all.flatMap(({ arrived }) => arrived).filter(({ at }) => at === 'notices')

  /** Sends a message to one of them, and lets both approvers identify, each call at another one. */
  const open = async (note: string, node = 'approve', red = reds[0]): Promise<Open> => {
    const known = new Set(notices().map(({ msg }) => msg.url))
    red?.send(node, { payload: 12500, note, identity: ola })
    const sent = await until(() => {
      const found = notices().filter(({ msg }) => !known.has(msg.url))
      return found.length >= 2 && found
    })
    should(sent).have.length(2)
    const people = await Promise.all(
      sent.map(async ({ msg }) => {
        const page = String(msg.url)
        const visitor = createVisitor()
        const nin = msg.approver === 'Per Hansen' ? nins.per : nins.kari
        should((await visitor.identifyAt(page, { nin })).state).equal('identified')
        return { page, visitor }
      }),
    )
    return { note, people }
  }
  const openMany = async (name: string, count: number, node?: string) => {
    const made: Open[] = []
    for (let at = 0; at < count; at++) made.push(await open(`${name} ${at}`, node, reds[at % reds.length]))
    return made
  }
  /** Presses *Approve* at this Node-RED; false if it is not there. */
  const press = async (red: Started, { page, visitor }: Open['people'][number]) => {
    const own = { Origin: proxy.url }
    try {
      const answer = await visitor.call(page.replace(proxy.url, red.url), 'answer', { answer: 'approve' }, own)
      return answer.ok && ['answered', 'approved'].includes(((await answer.json()) as { state: string }).state)
    } catch {
      return false
    }
  }
  const pressAnywhere = (one: Open['people'][number], at: number) =>
    until(async () => {
      const red = reds[at % reds.length]
      return red && press(red, one)
    })
  const ended = (approvals: readonly Open[]) => until(() => approvals.every(({ note }) => endsOf(note).length > 0))
  const stateAt = async (red: Started, { page, visitor }: Open['people'][number]) => {
    const answer = await visitor.call(page.replace(proxy.url, red.url), 'state', {}, { Origin: proxy.url })
    return ((await answer.json()) as { state: string }).state
  }

  it('leave once when the approvers answer at different ones, at the same moment', async () => {
    const approvals = await openMany('apart', 6)
    const calls = approvals.flatMap(({ people }) => people.map((one, at) => ({ one, at })))
    await Promise.all(calls.map(({ one, at }) => pressAnywhere(one, at)))
    await ended(approvals)
    // Whatever came too late would have come before the end of this one.
    const last = await openMany('after', 1)
    await Promise.all((last[0]?.people ?? []).map((one, at) => pressAnywhere(one, at + 1)))
    await ended(last)
    for (const { note } of [...approvals, ...last]) should(endsOf(note)).deepEqual(['approved'])
    should(arrivedAt('approved', 'apart 0')[0]?.msg.approval).have.propertyByPath('by', 'length').equal(2)
  })

  it('leave once when both answer at all of them, although one answer is enough', async () => {
    const approvals = await openMany('both', 6, 'one')
    const calls = approvals.flatMap(({ people }) => people.flatMap((one) => reds.map((red) => ({ one, red }))))
    await Promise.all(calls.map(({ one, red }) => press(red, one)))
    await ended(approvals)
    const last = await openMany('both after', 1, 'one')
    await Promise.all((last[0]?.people ?? []).map((one, at) => pressAnywhere(one, at)))
    await ended(last)
    for (const { note } of approvals) {
      should(endsOf(note)).deepEqual(['approved'])
      should(arrivedAt('approved', note)[0]?.msg.approval).have.propertyByPath('by', 'length').equal(1)
    }
    for (const { people } of approvals)
      for (const red of reds) for (const one of people) should(await stateAt(red, one)).equal('approved')
  })

  it('leave at most once when one of them is killed meanwhile, and each ends', async () => {
    const approvals = await openMany('killed', 18)
    const [first] = reds
    const calls = approvals.flatMap(({ people }) => people.map((one, at) => ({ one, at })))
    // It is killed as soon as it has sent a message on, and has not yet noted that.
    const killing = new Promise<void>((resolve, reject) => {
      if (first)
        first.onArrived = ({ at }) => {
          if (at !== 'approved' || !reds.includes(first)) return
          reds = reds.slice(1)
          first.kill().then(resolve, reject)
        }
    })
    const pressing = inTurns(calls, 12, ({ one, at }) => pressAnywhere(one, at).then(() => undefined))
    await killing
    await pressing
    await ended(approvals)
    const last = await openMany('after the kill', 1)
    await Promise.all((last[0]?.people ?? []).map((one, at) => pressAnywhere(one, at)))
    await ended(last)
    const ends = [...approvals, ...last].map(({ note }) => endsOf(note))
    figures({ approvals: ends.length, unknown: ends.filter((one) => one.includes('errors')).length })
    for (const one of ends) should(one.filter((place) => place === 'approved').length).be.belowOrEqual(1)
    for (const one of ends) should(one.filter((place) => place === 'rejected' || place === 'expired')).be.empty()
    // If it was killed just as a message left, an error says that the message may have left.
    for (const { msg } of all.flatMap(({ arrived }) => arrived).filter(({ at }) => at === 'errors'))
      should(msg.error).have.propertyByPath('cause', 'outcome').equal('unknown')
  })

  it('leave once when one of them is paused until the others have taken over', async () => {
    const approvals = await openMany('frozen', 8)
    const [frozen, ...others] = reds
    const calls = approvals.flatMap(({ people }) => people)
    const pressing = Promise.all(calls.map((one, at) => pressAnywhere(one, at)))
    await until(() => approvals.some(({ note }) => endsOf(note).length > 0))
    frozen?.freeze()
    reds = others
    // What was sent to the paused one is answered when it continues; the people press again elsewhere.
    await Promise.all(calls.map((one, at) => pressAnywhere(one, at)))
    await ended(approvals)
    frozen?.goOn()
    reds = frozen ? [frozen, ...others] : others
    await pressing
    const [last] = await openMany('after the rest', 1)
    if (last && frozen) await Promise.all(last.people.map((one) => until(() => press(frozen, one))))
    if (last) await ended([last])
    for (const { note } of approvals) should(endsOf(note).filter((place) => place === 'approved')).have.length(1)
    for (const { note } of approvals) should(endsOf(note)).not.containEql('expired').and.not.containEql('rejected')
  })
})
