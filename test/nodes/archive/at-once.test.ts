/** Several Node-REDs write to an archive and check it at the same time, and by several paths. */
import should from 'should'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import node from '../../../nodes/archive/archive'
import type { ArchiveReport } from '../../../nodes/archive/read-back'
import { finishLines, removeLeftovers } from '../../../nodes/archive/finish'
import { openStaging } from '../../../nodes/archive/staging'
import { realPathOf } from '../../../lib/runtime/files/real-path'
import { placeIn } from '../../support/files/archive-folder'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { act, startParties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

describe('an archive, with many at once', () => {
  let service: Service
  let base: ReturnType<typeof temporaryFolder>
  let link: string
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => {
    base = temporaryFolder()
    mkdirSync(join(base.path, 'real'))
    symlinkSync(join(base.path, 'real'), (link = join(base.path, 'link')), 'junction')
  })
  afterEach(async () => {
    await stopFlow()
    base.remove()
  })

  const signed = async (count: number) => {
    const parties = await startParties(service)
    const ids: string[] = []
    while (ids.length < count) {
      const { documentId, signers } = await parties.createDocument(`at-once-${ids.length}-${Math.random()}`)
      for (const { url } of signers) await act(url)
      ids.push(documentId)
    }
    await service.sandbox.clock.advance(5000)
    return ids
  }
  const start = (archiveFolder: string, checked = archiveFolder) =>
    startFlow({
      type: 'eid-archive',
      module: node,
      client: { baseUrl: service.url, retries: 0 },
      settings: { archiveFolder },
      more: [{ id: 'k', z: 'f', type: 'eid-archive', client: 'c', operation: 'check', archiveFolder: checked }].map(
        (one) => ({ ...one, wires: [['out0']] }),
      ),
    })
  const reportOf = async (flow: Flow) => {
    flow.send({ check: true }, 'k')
    for (;;) {
      const msg = await flow.next()
      if (msg.check) return msg.payload as ArchiveReport
    }
  }

  it('has one line for each document when its folder is reached through a link and is not there yet', async () => {
    const folder = join(link, 'month')
    const ids = await signed(30)
    const flow = await start(folder)
    for (const documentId of ids.slice(0, 15)) flow.send({ documentId })
    await until(() => existsSync(folder))
    for (const documentId of ids.slice(15)) flow.send({ documentId })
    for (const _id of ids) should((await flow.next()).existing).equal(false)
    const index = readdirSync(folder).find((name) => name.startsWith('index-')) ?? ''
    should(readFileSync(join(folder, index), 'utf8').split('\n')).have.length(ids.length + 1)
    should(await reportOf(flow)).containDeep({ documents: ids.length, whole: ids.length, added: [], chain: 'whole' })
  })

  it('is found whole by every check while documents are archived, also by another path', async () => {
    const ids = await signed(30)
    const folder = join(base.path, 'real')
    const flow = await start(folder, link)
    for (const documentId of ids.slice(0, 5)) flow.send({ documentId })
    for (const _id of ids.slice(0, 5)) await flow.next()
    for (const documentId of ids.slice(5)) flow.send({ documentId })
    const reports: ArchiveReport[] = []
    let left = ids.length - 5
    flow.send({ check: true }, 'k')
    while (left > 0) {
      const msg: FlowMessage = await flow.next()
      if (!msg.check) left--
      else if (reports.push(msg.payload as ArchiveReport) && left > 0) flow.send({ check: true }, 'k')
    }
    const wrong = reports.filter(
      ({ added, missing, changed, chain }) => [...added, ...missing, ...changed].length > 0 || chain !== 'whole',
    )
    should(wrong).eql([])
    should(reports).not.be.empty()
    should(flow.waiting().caught).equal(0)
  })

  it('leaves alone an archive that is being written there under another path', async () => {
    const real = join(base.path, 'real')
    const place = placeIn(real)
    const staging = await openStaging(place, 'doc-1')
    const same = { ...place, folder: link, real: await realPathOf(link) }
    await finishLines(same, new AbortController().signal)
    await removeLeftovers(same, new AbortController().signal)
    should(existsSync(staging.path)).equal(true)
    await staging.end()
  })
})

describe('the real path of a folder', () => {
  it('is the same before and after it is made, by a link to it or to one above', async () => {
    const base = temporaryFolder()
    const real = await realPathOf(base.path)
    symlinkSync(join(base.path, 'later'), join(base.path, 'link'), 'junction')
    symlinkSync(join(base.path, 'circle'), join(base.path, 'circle'), 'junction')
    const paths = ['link', join('link', 'below'), join('later', 'below')].map((one) => join(base.path, one))
    const wanted = ['later', join('later', 'below'), join('later', 'below')].map((one) => join(real, one))
    should(await Promise.all(paths.map((one) => realPathOf(one)))).eql(wanted)
    mkdirSync(join(base.path, 'later', 'below'), { recursive: true })
    should(await Promise.all(paths.map((one) => realPathOf(one)))).eql(wanted)
    should(await realPathOf(join(base.path, 'circle', 'below'))).be.a.String()
    base.remove()
  })
})
