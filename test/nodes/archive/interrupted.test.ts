/**
 * An archive whose writing was interrupted, or whose files were changed: nothing is lost, and no incomplete document
 * counts as archived.
 */
import should from 'should'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import node from '../../../nodes/archive/archive'
import { appendEntry } from '../../../nodes/archive/index-file'
import { finishLines } from '../../../nodes/archive/finish'
import { openStaging, stagingName } from '../../../nodes/archive/staging'
import { archiveFolder, entryOf, placeIn } from '../../support/files/archive-folder'
import { startFlow, stopFlow } from '../../support/flow'
import { signedDocument } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { saying } from '../../support/wording'

const never = new AbortController().signal

describe('an interrupted archive', () => {
  let service: Service
  let folder: string
  let remove: () => void
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => void ({ path: folder, remove } = temporaryFolder()))
  afterEach(async () => {
    await stopFlow()
    remove()
  })

  const signed = (key: string) => signedDocument(service, key)
  const start = (settings: object = {}) =>
    startFlow({
      type: 'eid-archive',
      module: node,
      client: { baseUrl: service.url, retries: 0 },
      settings: { archiveFolder: folder, archiveAs: 'Lease', ...settings },
    })
  it('keeps the folder of a line for its files, also when the process is killed right after the line', async () => {
    const archive = archiveFolder(folder)
    archive.begin('d-1')
    mkdirSync(join(folder, 'Lease d-1'))
    await appendEntry(archive.place, entryOf('d-1', 'd-1', 'Lease d-1/'))
    const other = archiveFolder(folder, placeIn(folder, 'b'))
    should((await other.add('d-1')).entry.files[0]).have.property('name', 'Lease d-1 (2)/signed.pdf')
    should(await archive.add('d-1')).match({ existing: true, entry: { files: [{ name: 'Lease d-1/signed.pdf' }] } })
    should(await archive.check()).match({ documents: 1, whole: 1, missing: [], changed: [], added: [], chain: 'whole' })
    should(archive.lines()).have.length(1)
  })

  it('leaves the files of a line alone when something else is in its folder', async () => {
    const archive = archiveFolder(folder)
    archive.begin('d-1')
    mkdirSync(join(folder, 'Lease d-1'))
    writeFileSync(join(folder, 'Lease d-1', 'by hand.pdf'), 'x')
    await appendEntry(archive.place, entryOf('d-1', 'd-1', 'Lease d-1/'))
    await should(archive.add('d-1')).be.rejectedWith({ state: 'missing', file: 'Lease d-1/signed.pdf' })
    should((await archive.add('d-2')).existing).be.false()
    const collected = `${stagingName(archive.place, 'd-1')}/signed.pdf`
    should(readFileSync(join(folder, collected), 'utf8')).equal('d-1')
    should(await archive.checkAndRemember()).match({
      missing: ['Lease d-1/signed.pdf'],
      added: [collected, 'Lease d-1/by hand.pdf'],
    })
  })

  it('puts the number of a folder that is taken at the end, also after a dot in the title', async () => {
    const flow = await start({ archiveAs: 'Lease no. 12' })
    for (const key of ['dot-1', 'dot-2', 'dot-3']) flow.send({ documentId: await signed(key) })
    for (let count = 0; count < 3; count++) await flow.next()
    const found = readdirSync(folder).filter((name) => name.startsWith('Lease'))
    should(found.sort()).deepEqual(['Lease no. 12', 'Lease no. 12 (2)', 'Lease no. 12 (3)'])
  })

  it('keeps the files of a line that could not be taken away again', async () => {
    const { place, check } = archiveFolder(folder)
    const staging = await openStaging(place, 'd-1', never)
    writeFileSync(join(staging.path, 'signed.pdf'), 'd-1')
    await appendEntry(place, entryOf('d-1', 'd-1', 'Lease/'))
    await staging.end()
    await finishLines(place, never)
    should(readdirSync(folder).sort()).deepEqual(['Lease', place.index])
    should(await check()).have.properties({ documents: 1, whole: 1, chain: 'whole' })
  })

  for (const [what, left] of [
    ['their folder, when they have a line', true],
    ['up, when they have none', false],
  ] as const) {
    it(`gives the files of a Node-RED that never came back ${what}`, async () => {
      const archive = archiveFolder(folder)
      const other = archiveFolder(folder, placeIn(folder, 'gone'))
      await archive.add('d-1')
      other.begin('d-2')
      const name = join(folder, stagingName(other.place, 'd-2'))
      if (left) await appendEntry(other.place, entryOf('d-2', 'd-2', 'Lease d-2/'))
      await archive.finish()
      should(existsSync(name)).be.true()
      const old = new Date(Date.now() - 2 * 3_600_000)
      for (const one of [join(name, 'signed.pdf'), name]) utimesSync(one, old, old)
      await archive.finish()
      should(existsSync(name)).be.false()
      should(await archive.check()).have.properties({ documents: left ? 2 : 1, whole: left ? 2 : 1, added: [] })
    })
  }

  it('reports what was collected and has no line, until the next document removes it', async () => {
    const archive = archiveFolder(folder)
    await archive.add('d-1')
    archive.begin('d-2')
    const name = `${stagingName(archive.place, 'd-2')}/signed.pdf`
    should((await archive.checkAndRemember()).added).deepEqual([name])
    await archive.add('d-3')
    should((await archive.checkAndRemember()).added).be.empty()
  })

  it('does not call a document archived before when its files are changed', async () => {
    const id = await signed('changed')
    const flow = await start()
    flow.send({ documentId: id })
    await flow.next()
    writeFileSync(join(folder, 'Lease', 'original.txt'), '')
    flow.send({ documentId: id })
    const { error } = await flow.caught()
    should(error).have.property('code', 'EID_INVALID_INPUT')
    should(error.message).match(saying('archive', 'problems.archiveChanged', { file: 'Lease/original.txt' }))
  })

  it('ends with an error in a folder that can never be made', async function () {
    if (!existsSync('/proc/1')) return this.skip()
    const flow = await start({ archiveFolder: '/proc/1/archive' })
    flow.send({ documentId: await signed('proc') })
    should((await flow.caught()).error.message).match(/cannot be written/)
  })
})
