/**
 * A copied flow sends nothing that the first one has sent: not after a crash, when the first one is deleted, and not in
 * another Node-RED that shares the store.
 *
 * @rest
 */
import should from 'should'
import { startProcess, type Started } from '../support/node-red/killable'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'

describe('a list that a copied flow sends', () => {
  let service: Service
  let server: PostgresServer
  const all: Started[] = []
  const folders: { remove(): void }[] = []
  before(async () => {
    service = await startService()
    server = await startPostgres()
  })
  beforeEach(() => service.reset())
  afterEach(() => Promise.all(all.splice(0).map((one) => one.kill())))
  after(async () => {
    await service.close()
    await server.stop()
    for (const folder of folders) folder.remove()
  })

  const folder = () => {
    const made = temporaryFolder()
    folders.push(made)
    return made.path
  }
  const payload = Array.from({ length: 15 }, (_none, at) => ({ Name: 'Ola Nordmann', Unit: `A ${at}` }))
  const made = async () => (await service.requests('createDocument')).length
  const start = async (userDir: string, id: string, shared = '') => {
    const signers = [{ firstName: 'Ola', email: 'ola.nordmann@example.com', notification: 'off' }]
    const file = { file: 'JVBERi0=', fileType: 'base64', fileName: 'contract.pdf', fileNameType: 'str' }
    const contract = { title: 'Contract', contactEmail: 'kari.nordmann@example.com', ...file, signersRows: signers }
    const started = await startProcess({
      userDir,
      flow: [
        { id: 's', type: 'eid-store', address: server.url, takeOver: 2 },
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id, z: 'f', type: 'eid-batch', shared, key: '{Unit}', keyType: 'tpl', wires: [[`${id}-way`], [`${id}-out`]] },
        { id: `${id}-way`, z: 'f', type: 'eid-create-document', client: 'c', ...contract, wires: [[id]] },
        { id: `${id}-out`, z: 'f', type: 'helper' },
        { id: `${id}-catch`, z: 'f', type: 'catch', scope: null, uncaught: false, wires: [[`${id}-caught`]] },
        { id: `${id}-caught`, z: 'f', type: 'helper' },
      ],
    })
    all.push(started)
    return started
  }
  const report = (red: Started) => until(() => red.arrived.find(({ msg }) => msg.status === 'ended')?.msg.payload, 30)
  const refusal = (red: Started, id: string) =>
    until(() => red.arrived.find(({ at }) => at === `${id}-caught`)?.msg.error as { code: string; cause: object }, 30)

  it('is refused after a crash, although the first node no longer exists', async () => {
    const userDir = folder()
    const first = await start(userDir, 'first')
    first.send('first', { payload })
    should(await report(first)).have.properties({ done: 15, failed: 0 })
    await first.kill()
    const second = await start(userDir, 'copy')
    second.send('copy', { payload })
    should(await refusal(second, 'copy')).match({ code: 'EID_INVALID_INPUT', cause: { sentBy: { node: 'first' } } })
    should(await made()).equal(15)
  })

  it('is refused in another Node-RED that shares the store, also at the same moment', async () => {
    const one = await start(folder(), 'one', 's')
    const other = await start(folder(), 'other', 's')
    one.send('one', { payload })
    other.send('other', { payload })
    const refused = await Promise.any([refusal(one, 'one'), refusal(other, 'other')])
    should(refused).match({ code: 'EID_INVALID_INPUT' })
    should(await Promise.any([report(one), report(other)])).have.properties({ done: 15, failed: 0 })
    should(await made()).equal(15)
  })
})
