/** What can hold up archiving: a document without files, and a drive that is not connected. */
import should from 'should'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import node from '../../../nodes/archive/archive'
import { reportOf } from '../../support/files/archive-folder'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { signedDocument } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'
import { saying } from '../../support/wording'

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
      type: 'eid-archive',
      module: node,
      client: { baseUrl: service.url, retries: 0 },
      settings: { archiveFolder: folder, archiveAs: '{title}' },
    })
  const report = () => reportOf(folder)

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
          message: saying('client', 'files.GONE'),
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
    const one = await signed('drive-1')
    const two = await signed('drive-2')
    const flow = await start()
    flow.send({ documentId: one })
    await flow.next()
    await isHeldUpWhileAway(flow, two)
  })

  it('begins no other archive after a restart either', async () => {
    const one = await signed('found-1')
    const two = await signed('found-2')
    let flow = await start()
    flow.send({ documentId: one })
    await flow.next()
    await stopFlow()
    flow = await start()
    await isHeldUpWhileAway(flow, two)
  })
})
