/**
 * Three Node-REDs on one database remind the signers of the same document: once per date, also while one of them hangs
 * during a reminder.
 *
 * @rest
 */
import should from 'should'
import { createDatabase } from '../../lib/store/drivers/postgres/database'
import { createSqlStore } from '../../lib/store/sql-store'
import { createCipher } from '../../lib/store/sql/cipher'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { createCalendar, inOslo, type Replica } from '../support/reminder-calendar'
import { until } from '../support/time'

const leaseMs = 1_000

describe('three Node-REDs on one database, reminding', () => {
  inOslo()
  let server: PostgresServer
  const closing: (() => Promise<void>)[] = []
  before(async () => void (server = await startPostgres()))
  after(async () => {
    await Promise.all(closing.map((close) => close()))
    await server.stop()
  })

  /** Opens the stores with connections of their own, as each Node-RED does. */
  const stores = () => {
    const database = createDatabase({ config: { connectionString: server.url }, namespace: 'reminders' })
    const open = (node: string, kind: string) =>
      createSqlStore(database, createCipher(''), node, { kind, leaseMs, onStoreEvent: () => undefined })
    const waits = open('wait', 'waits')
    const notes = open('c', 'reminders')
    closing.push(async () => {
      await Promise.all([waits.close(), notes.close()])
      await database.close()
    })
    return { waits, notes }
  }

  it('send each once, also while one of them hangs with a reminder', async () => {
    const calendar = createCalendar('2026-03-23 14:00', [8, 20])
    const replicas: [Replica, ...Replica[]] = [calendar.start(stores())]
    replicas.push(calendar.start(stores()), calendar.start(stores()))
    // Two messages wait for the document, and any of the three Node-REDs may handle them.
    await calendar.wait(replicas[0], '3, 7, 10')
    await calendar.wait(replicas[0], '3, 7, 10')
    await calendar.goTo('2026-03-29 20:00')
    calendar.fates.push('diesAfter')
    calendar.setClock('2026-03-30 08:00')
    await until(() => calendar.fates.length === 0)
    await calendar.goTo('2026-04-05 14:00')
    await calendar.end()
    // Summer time began on the 29th.
    should(calendar.sent).deepEqual(['2026-03-26 08:00', '2026-03-30 08:00', '2026-04-02 08:00'])
  })
})
