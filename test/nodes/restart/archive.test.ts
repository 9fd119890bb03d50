/**
 * Node-RED is killed repeatedly while it archives. Documents that have not left the node are sent to it again: the
 * archive is intact, each document is in it once, and nothing stays half done.
 *
 * @rest
 */
import should from 'should'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportOf } from '../../support/files/archive-folder'
import { startProcess, type Started } from '../../support/node-red/killable'
import { signedDocument } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { pause, until } from '../../support/time'

const documents = 14
const kills = 10
const isUnfinished = (name: string) => name.startsWith('.unfinished-')
/** The names in a folder; empty if the folder does not exist yet. */
const readdirIn = (...path: string[]) => (existsSync(join(...path)) ? readdirSync(join(...path)) : [])

describe('when Node-RED is killed while it archives', () => {
  let service: Service
  let userDir: string
  let red: Started | undefined
  before(async () => {
    service = await startService()
    userDir = mkdtempSync(join(tmpdir(), 'eid-archiving-'))
  })
  after(async () => {
    await red?.kill()
    await service.close()
    rmSync(userDir, { recursive: true })
  })

  const folder = () => join(userDir, 'archive')
  const start = async () => {
    const node = { z: 'f', type: 'eid-archive', client: 'c', archiveFolder: folder() }
    red = await startProcess({
      userDir,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { ...node, id: 'archive', operation: 'archive', archiveAs: 'Lease', wires: [['archived']] },
        { ...node, id: 'check', operation: 'check', wires: [['checked']] },
        { id: 'catch', z: 'f', type: 'catch', scope: null, wires: [['caught']] },
        ...['archived', 'checked', 'caught'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
    })
    return red
  }
  const at = ({ arrived }: Started, place: string) => arrived.filter((one) => one.at === place).map(({ msg }) => msg)
  const whole = { documents, whole: documents, missing: [], changed: [], added: [], chain: 'whole' }

  it('has each of them once, and whole', async () => {
    const ids: string[] = []
    for (let number = 0; number < documents; number++) ids.push(await signedDocument(service, `killed-${number}`))
    const archived = new Set<string>()
    const fetched = async () => (await service.requests('getDocumentFile')).length
    const left = () => ids.filter((id) => !archived.has(id))
    const take = (one: Started) => {
      should(at(one, 'caught').map(({ error }) => error)).deepEqual([])
      for (const { documentId } of at(one, 'archived')) archived.add(String(documentId))
    }
    let interrupted = 0
    for (let kill = 0; kill < kills && left().length > 0; kill++) {
      const one = await start()
      const before = await fetched()
      // Two at once, so that each kill interrupts something.
      for (const documentId of left().slice(0, 2)) one.send('archive', { documentId })
      // If an earlier kill came after both were archived and before they came out, nothing is fetched again.
      await until(async () => (await fetched()) > before || one.arrived.length > 0)
      await pause(3 * kill)
      await one.kill()
      take(one)
      const report = await reportOf(folder())
      should(report?.changed ?? []).deepEqual([])
      should(report?.chain ?? 'whole').equal('whole')
      // Every document that came out is in the archive.
      should(report?.documents ?? 0).be.aboveOrEqual(archived.size)
      if (readdirIn(userDir, 'archive').some(isUnfinished)) interrupted++
    }
    const last = await start()
    for (const documentId of ids) last.send('archive', { documentId })
    await until(() => at(last, 'archived').length + at(last, 'caught').length >= documents)
    take(last)
    last.send('check', {})
    const [checked] = await until(() => (at(last, 'checked').length > 0 ? at(last, 'checked') : undefined))
    should(checked?.payload).deepEqual(whole)
    await last.kill()
    should(interrupted).be.above(0)
    const index = readdirSync(folder()).filter((name) => !name.startsWith('Lease'))
    should(index).match([/^index-[\da-f-]{36}\.jsonl$/])
    const lines = readFileSync(join(folder(), index[0] ?? ''), 'utf8').split('\n')
    should(lines.length).equal(documents + 1)
    should(readdirSync(join(userDir, 'eid', 'downloads'))).deepEqual([])
  })
})
