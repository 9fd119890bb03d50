/** What can hold up archiving: a document without files, a full disk, and another Node-RED that owns the index. */
import should from 'should'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { readBack } from '../../../nodes/archive/check-archive'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { signedDocument } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'
import { saying, sentence } from '../../support/wording'

const never = new AbortController().signal

describe('an archive that is held up', () => {
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
  const start = () =>
    startFlow({
      type: 'eid-document',
      module: node,
      client: { baseUrl: service.url, retries: 0 },
      settings: { operation: 'archive', archiveFolder: folder, archiveAs: '{title}' },
    })
  const report = () => readBack(folder, never)

  /** Sends a document while the drive of the archive is not connected, and again when it is. */
  const isHeldUpWhileAway = async (flow: Flow, two: string) => {
    renameSync(folder, `${folder}-away`)
    try {
      for (const isEmpty of [false, true]) {
        if (isEmpty) mkdirSync(folder)
        flow.send({ documentId: two })
        const { error } = await flow.caught()
        should(error).match({
          code: 'EID_INVALID_INPUT',
          message: saying('document', 'files.GONE'),
        })
      }
      should(readdirSync(folder)).be.empty()
    } finally {
      rmSync(folder, { recursive: true, force: true })
      renameSync(`${folder}-away`, folder)
    }
    flow.send({ documentId: two })
    await flow.next()
    should(await report()).containDeep({ documents: 2, whole: 2, chain: 'whole' })
  }

  it('archives others while the files of one document are not ready, and then that one too', async () => {
    const ready = [await signed('ready-1'), await signed('ready-2')]
    const slow = await signed('slow')
    const held = service.sandbox.world.signature.documents.get(slow)
    const { completedPackages } = held ?? {}
    Object.assign(held ?? {}, { completedPackages: ['unsigned'] })
    const flow = await start()
    flow.send({ documentId: slow })
    await until(async () => (await service.requests('getDocumentStatus')).length > 0)
    for (const documentId of ready) flow.send({ documentId })
    const first = [await flow.next(), await flow.next()]
    should(first.map(({ documentId }) => documentId).sort()).deepEqual([...ready].sort())
    Object.assign(held ?? {}, { completedPackages })
    should((await flow.next()).documentId).equal(slow)
    should(await report()).containDeep({ documents: 3, whole: 3, chain: 'whole' })
  })

  it('begins no other archive while its drive is not connected, and continues when it is', async () => {
    const [one, two] = [await signed('drive-1'), await signed('drive-2')]
    const flow = await start()
    flow.send({ documentId: one })
    await flow.next()
    await isHeldUpWhileAway(flow, two)
  })

  it('begins no archive for another customer either while the drive is not connected', async () => {
    const ids = [await signed('customer-1'), await signed('customer-2'), await signed('customer-3')]
    const drive = join(folder, 'drive')
    const settings = { operation: 'archive', archiveFolder: 'where', archiveFolderType: 'msg', archiveAs: '{title}' }
    const client = { baseUrl: service.url, retries: 0 }
    const flow = await startFlow({ type: 'eid-document', module: node, client, settings })
    const send = (index: number, where: string) => flow.send({ documentId: ids[index], where: join(drive, where) })
    send(0, join('2031', 'A'))
    await flow.next()
    renameSync(drive, `${drive}-away`)
    for (const isMountPoint of [false, true]) {
      if (isMountPoint) mkdirSync(drive)
      for (const where of [join('2031', 'B'), join('2032', 'B')]) {
        send(1, where)
        const { error } = await flow.caught()
        should(error).match({ code: 'EID_INVALID_INPUT', message: saying('document', 'files.AWAY') })
      }
    }
    should(readdirSync(drive)).be.empty()
    rmSync(drive, { recursive: true })
    renameSync(`${drive}-away`, drive)
    send(1, join('2032', 'B'))
    should((await flow.next()).existing).be.false()
    // An archive that a person has removed holds nothing up, because the folder above it is still the same.
    rmSync(join(drive, '2031', 'A'), { recursive: true })
    send(2, join('2031', 'C'))
    should((await flow.next()).existing).be.false()
    // Nor does a drive that was connected in another way, as long as its archives are there.
    cpSync(drive, `${drive}-copy`, { recursive: true })
    rmSync(drive, { recursive: true })
    renameSync(`${drive}-copy`, drive)
    send(0, join('2031', 'D'))
    should((await flow.next()).existing).be.false()
  })

  it('does so too after a restart, when it has found the archive and not yet written to it', async () => {
    const [one, two] = [await signed('found-1'), await signed('found-2')]
    let flow = await start()
    flow.send({ documentId: one })
    await flow.next()
    await stopFlow()
    // This process has not written to the folder under its new name.
    renameSync(folder, `${folder}-mounted`)
    folder = `${folder}-mounted`
    flow = await start()
    flow.send({ documentId: one })
    should((await flow.next()).existing).be.true()
    await isHeldUpWhileAway(flow, two)
    rmSync(folder, { recursive: true })
  })

  it('warns in yellow when the last line cannot be sealed on a full disk, and seals it when it can', async function () {
    if (process.platform !== 'linux') return this.skip()
    const [one, two] = [await signed('sealed'), await signed('unsealed')]
    const flow = await start()
    flow.send({ documentId: one })
    await flow.next()
    const full = join(folder, '.index.last.unfinished')
    symlinkSync('/dev/full', full)
    for (const existing of [false, true]) {
      flow.send({ documentId: two })
      should((await flow.next()).existing).equal(existing)
      should(flow.warnings.at(-1)).equal(
        sentence('document', 'warnings.unsealed', { id: String(two), reason: '@files.ENOSPC' }),
      )
      should(flow.statuses.at(-1)).have.properties({ fill: 'yellow', text: 'archived, .index.last not written' })
    }
    should(JSON.parse(readFileSync(join(folder, '.index.last'), 'utf8'))).have.property('lines', 1)
    rmSync(full)
    flow.send({ documentId: two })
    should((await flow.next()).existing).be.true()
    should(flow.statuses.at(-1)).have.property('text', 'archived before')
    should(JSON.parse(readFileSync(join(folder, '.index.last'), 'utf8'))).have.property('lines', 2)
    should(await report()).containDeep({ documents: 2, whole: 2, added: [], chain: 'whole' })
  })

  it('writes an index of its own where another Node-RED owns the first one', async () => {
    const [one, two] = [await signed('owned-1'), await signed('owned-2')]
    let flow = await start()
    flow.send({ documentId: one })
    await flow.next()
    await stopFlow()
    writeFileSync(join(folder, '.index.owner'), '{"writer":"another 1880","process":"p"}\n')
    flow = await start()
    for (const documentId of [one, two]) flow.send({ documentId })
    should([(await flow.next()).existing, (await flow.next()).existing].sort()).deepEqual([false, true])
    should(readFileSync(join(folder, 'index.jsonl'), 'utf8').split('\n')).have.length(2)
    const indexes = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    should(indexes).have.length(2)
    should(await report()).deepEqual({
      documents: 2,
      whole: 2,
      missing: [],
      changed: [],
      added: [],
      chain: 'whole',
    })
  })

  it('takes over the index of an earlier process of the same Node-RED, and yields it to a later one', async () => {
    const ids = [await signed('earlier'), await signed('same'), await signed('later')]
    const flow = await start()
    const archive = async (documentId = '') => {
      flow.send({ documentId })
      await flow.next()
      return readdirSync(folder).filter((name) => name.endsWith('.jsonl')).length
    }
    should(await archive(ids[0])).equal(1)
    const owner = join(folder, '.index.owner')
    const own = readFileSync(owner, 'utf8')
    should(await archive(ids[1])).equal(1)
    const later = JSON.stringify({ ...(JSON.parse(own) as object), process: 'a later one' })
    writeFileSync(owner, `${later}\n`)
    should(await archive(ids[2])).equal(2)
    should(readFileSync(owner, 'utf8')).equal(`${later}\n`)
    should(await report()).containDeep({ documents: 3, whole: 3, added: [], chain: 'whole' })
  })
})
