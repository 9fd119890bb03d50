/**
 * Node-RED is killed repeatedly while it reminds: no document is reminded twice on one date, and each reminder was
 * either sent or reported as possibly sent, perhaps twice after a kill.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaseByEmail } from '../../support/lease-by-email'
import { startParties, type CreatedDocument } from '../../support/parties'
import { startProcess, type Started } from '../../support/node-red/killable'
import { startService, type Service } from '../../support/service'
import { pause, until } from '../../support/time'

const minute = 60_000
const documents = 24
const mostKills = 12

describe('when Node-RED is killed while it reminds', () => {
  let service: Service
  let userDir: string
  let red: Started | undefined

  before(async () => {
    service = await startService()
    userDir = mkdtempSync(join(tmpdir(), 'eid-reminding-'))
  })
  after(async () => {
    await red?.kill()
    await service.close()
    rmSync(userDir, { recursive: true })
  })

  const start = async (aheadMs: number) => {
    const wait = { z: 'f', type: 'eid-wait', client: 'c', pollInterval: '60' }
    const remind = { remindAfter: '1', remindAt: '11:00' }
    red = await startProcess({
      userDir,
      aheadMs,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { ...wait, ...remind, id: 'waits', wires: [['done'], ['done'], ['done']] },
        { id: 'catch', z: 'f', type: 'catch', scope: ['waits'], wires: [['caught']] },
        { id: 'done', z: 'f', type: 'helper' },
        { id: 'caught', z: 'f', type: 'helper' },
      ],
    })
    return red
  }
  /** The documents of the recorded calls, oldest first. */
  const calledFor = async (operation: string) => {
    const requests = await service.requests(operation)
    return requests.map(({ path }) => /documents\/([^/]+)/.exec(path)?.[1] ?? '')
  }
  const caughtIn = ({ arrived }: Started) =>
    arrived.filter(({ at }) => at === 'caught').map(({ msg }) => String(msg.documentId))

  it('sends each once, or says that it may have been sent', async () => {
    const parties = await startParties(service)
    const ids: string[] = []
    for (let number = 0; number < documents; number++) {
      const { documentId } = await parties.call<CreatedDocument>('POST', '/signature/documents', leaseByEmail(number))
      ids.push(documentId)
    }
    const first = await start(0)
    for (const documentId of ids) first.send('waits', { documentId })
    await until(async () => new Set(await calledFor('getDocumentStatus')).size === documents)
    await first.kill()

    const noon = new Date()
    noon.setDate(noon.getDate() + 1)
    noon.setHours(12, 0, 0, 0)
    let ahead = noon.getTime() - Date.now()
    const said: string[] = []
    const ended = async (running?: Started) => {
      const reported = running ? caughtIn(running) : []
      return new Set([...(await calledFor('remindDocument')), ...said, ...reported]).size
    }
    let killed = 0
    for (; killed < mostKills && (await ended()) < documents; killed++) {
      const before = (await calledFor('remindDocument')).length
      // After the first ones, reminders get no answer, so that Node-RED is killed before it has sent them all.
      const { faults } = service.sandbox.world
      faults.clear()
      await service.fault({ operation: 'remindDocument', kind: 'slow', delay: 600_000, skip: killed % 3, count: 100 })
      const dying = await start(ahead)
      await until(async () => (await calledFor('remindDocument')).length > before || (await ended(dying)) === documents)
      await pause(killed * 7)
      await dying.kill()
      said.push(...caughtIn(dying))
      ahead += 6 * minute
    }
    service.sandbox.world.faults.clear()
    const last = await start(ahead)
    await until(async () => (await ended(last)) === documents)
    await last.kill()
    said.push(...caughtIn(last))
    const sent = await calledFor('remindDocument')
    should(sent.filter((id, index) => sent.indexOf(id) < index)).deepEqual([])
    should(killed).be.aboveOrEqual(2)
  })
})
