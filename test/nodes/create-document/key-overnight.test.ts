/** `{date}` and `{time}` show when a message first came in, so a message that is sent again makes the same document. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { wordDocument } from '../../support/files/word-document'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

const evening = new Date(2031, 4, 2, 23, 58).getTime()
const nextDay = new Date(2031, 4, 3, 0, 3).getTime()

describe('a document whose text names the date or the time', () => {
  let service: Service
  let folder = ''
  const start = (settings: object) =>
    startFlow({
      type: 'eid-create-document',
      module: node,
      client: { baseUrl: service.url, retries: 0 },
      settings: {
        title: 'Lease',
        contactEmail: 'kari.nordmann@example.com',
        signersType: 'form',
        signersRows: [{ firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' }],
        file: 'file',
        fileType: 'msg',
        fileName: 'lease.txt',
        fileNameType: 'str',
        ...settings,
      },
    })
  const documents = () => [...service.sandbox.world.signature.documents.values()]
  const message = (more: object = {}) => ({
    payload: { Rent: '12 500,00', Dated: true },
    file: Buffer.from('A lease'),
    ...more,
  })

  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-overnight-'))
    writeFileSync(join(folder, 'lease.docx'), wordDocument(['Oslo, {date} {time}: {Rent}']))
    writeFileSync(join(folder, 'part.docx'), wordDocument(['{#Dated}Oslo, {date}{/Dated}', '{Rent}']))
  })
  beforeEach(async () => {
    await service.reset()
    mock.timers.enable({ apis: ['Date'], now: evening })
  })
  afterEach(async () => {
    mock.timers.reset()
    await stopFlow()
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.close()
  })

  const texts: readonly [string, () => object][] = [
    ['title', () => ({ title: 'Lease of {date}' })],
    ['description', () => ({ title: 'Lease {time}', description: '{title}, {date}', descriptionType: 'tpl' })],
    ['file name', () => ({ fileName: 'Lease {date}.txt', fileNameType: 'tpl' })],
    ['name of a signer', () => ({ signersRows: [{ firstName: 'Ola', lastName: 'N {date}', email: 'o@example.com' }] })],
    ['Word file', () => ({ file: join(folder, 'lease.docx'), fileType: 'path', fileName: 'lease.docx' })],
    ['Word file, in a part', () => ({ file: join(folder, 'part.docx'), fileType: 'path', fileName: 'part.docx' })],
  ]
  for (const [what, settings] of texts) {
    it(`in its ${what} is not made a second time by a Catch branch that repeats it after midnight`, async () => {
      const flow = await start(settings())
      await service.fault({ operation: 'createDocument', kind: 'close-after' })
      flow.send(message())
      const { error, ...failed } = await flow.caught()
      should(error.cause.outcome).equal('unknown')
      mock.timers.setTime(nextDay)
      flow.send(failed)
      should(await flow.next()).have.properties({ externalId: failed.externalId, existing: true })
      should(documents()).have.length(1)
    })
  }

  it('is found by the key of a person when its message is sent again, but not by a message of the next day', async () => {
    const flow = await start({ title: 'Lease of {date}, {time}' })
    flow.send(message({ externalId: 'lease-2031' }))
    const { documentId, eidMoment } = await flow.next()
    should(eidMoment).equal(new Date(evening).toISOString())
    mock.timers.setTime(nextDay)
    flow.send(message({ externalId: 'lease-2031', eidMoment }))
    should(await flow.next()).have.properties({ existing: true, documentId })
    flow.send(message({ externalId: 'lease-2031' }))
    should((await flow.caught()).error.code).equal('EID_REFUSED')
  })

  it('has the moment of the node that the message reached first', async () => {
    const flow = await start({ title: 'Lease of {date}' })
    flow.send(message({ eidMoment: 'no date' }))
    const first = await flow.next()
    mock.timers.setTime(nextDay)
    flow.send({ ...message(), eidMoment: first.eidMoment, externalId: 'the-next' })
    await flow.next()
    should(documents().map(({ title }) => title)).deepEqual(['Lease of 2031-05-02', 'Lease of 2031-05-02'])
  })

  it('is still another one when its words differ', async () => {
    const flow = await start({ title: '{Kind} of {date}' })
    flow.send(message({ payload: { Kind: 'Lease', Rent: 1 }, externalId: 'lease-2031' }))
    await flow.next()
    for (const payload of [{ Kind: 'Annex' }, { Kind: 'Lease', date: 'May' }]) {
      flow.send(message({ payload, externalId: 'lease-2031' }))
      should((await flow.caught()).error.code).equal('EID_REFUSED')
    }
    for (const Kind of ['Lease', 'Annex']) flow.send(message({ payload: { Kind } }))
    should((await flow.next()).externalId).not.equal((await flow.next()).externalId)
    should(documents()).have.length(3)
  })
})
