/**
 * Three Node-REDs on one database have the same "alerts" node: together they send each alert once, also while they are
 * killed one after the other.
 *
 * @rest
 */
import should from 'should'
import { startParties } from '../support/parties'
import { startProcess, type Started } from '../support/node-red/killable'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'

const documents = 24

describe('three Node-REDs on one database, with alerts', () => {
  let server: PostgresServer
  let service: Service
  const all: Started[] = []
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()]

  before(async () => {
    server = await startPostgres()
    service = await startService()
  })
  after(async () => {
    await Promise.all(all.map((one) => one.kill()))
    await service.close()
    await server.stop()
    for (const folder of folders) folder.remove()
  })

  const start = async (index: number) => {
    const node = { z: 'f', client: 'c', shared: 's' }
    const started = await startProcess({
      userDir: folders[index]?.path ?? '',
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id: 's', type: 'eid-store', address: server.url, takeOver: 3 },
        { ...node, id: 'waits', type: 'eid-wait', pollInterval: '0.5', maxInterval: '1', wires: [[], [], []] },
        { ...node, id: 'alerts', client: '', type: 'eid-alerts', wires: [['alerted']] },
        { id: 'alerted', z: 'f', type: 'helper' },
      ],
    })
    all.push(started)
    return started
  }
  const alerted = () => all.flatMap(({ arrived }) => arrived.filter(({ at }) => at === 'alerted').map(({ msg }) => msg))
  const idOf = (msg: Readonly<Record<string, unknown>>) => String((msg.payload as { documentId: string }).documentId)

  it('send each alert once, though two of them are killed on the way', async () => {
    const parties = await startParties(service)
    const reds = await Promise.all([start(0), start(1), start(2)])
    const ids: string[] = []
    for (let number = 0; number < documents; number++) {
      const { documentId } = await parties.createDocument(`alert-${number}`)
      ids.push(documentId)
      reds[number % 3]?.send('waits', { documentId })
    }
    const alive = new Set(reds)
    /** Kills the Node-RED that has sent the most alerts. */
    const killSpeaker = async () => {
      const spoken = ({ arrived }: Started) => arrived.length
      const [speaker] = [...alive].sort((one, other) => spoken(other) - spoken(one))
      if (speaker) alive.delete(speaker)
      await speaker?.kill()
    }
    const cancel = (some: readonly string[]) =>
      Promise.all(some.map((id) => parties.call('POST', `/signature/documents/${id}/cancel?reason=wrong`)))
    await cancel(ids.slice(0, 8))
    await until(() => alerted().length >= 1)
    await killSpeaker()
    await cancel(ids.slice(8, 16))
    await until(() => alerted().length >= 9)
    await killSpeaker()
    await cancel(ids.slice(16))
    await until(() => new Set(alerted().map(idOf)).size === documents)
    // If a killed Node-RED was about to send an alert, the alert is sent again with a mark.
    const fresh = alerted().flatMap((msg) => (msg.redelivered === true ? [] : [idOf(msg)]))
    should(fresh.filter((id, index) => fresh.indexOf(id) < index)).deepEqual([])
    should([...new Set(alerted().map(idOf))].sort()).deepEqual([...ids].sort())
    should(alerted().map(({ topic }) => topic)).matchEach('canceled')
  })
})
