/** The user says what a file value means to "create document"; the node never guesses. */
import should from 'should'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import node from '../../../nodes/create-document/create-document'
import { temporaryFolder } from '../../support/temporary-folder'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { sentence } from '../../support/wording'

const pdf = join(__dirname, '../../fixtures/contract.pdf')
const content = readFileSync(pdf)
const signers = [
  {
    externalSignerId: 'ola-1',
    redirectSettings: { redirectMode: 'donot_redirect' },
    signatureType: { mechanism: 'pkisignature' },
    notifications: { setup: { request: 'off' } },
  },
]

describe('the file of "create document"', () => {
  let service: Service
  let folder: ReturnType<typeof temporaryFolder>
  const start = (settings: object) =>
    startFlow({
      type: 'eid-create-document',
      module: node,
      settings: {
        title: 'Lease',
        contactEmail: 'kari.nordmann@example.com',
        signers: 'signers',
        signersType: 'msg',
        fileName: 'contract.pdf',
        fileNameType: 'str',
        ...settings,
      },
      client: { baseUrl: service.url },
    })
  const fromMessage = { file: 'file', fileType: 'msg' }
  const arrived = async () =>
    (await service.requests('createDocument')).map((one) => (one.body as { dataToSign: object }).dataToSign)
  const problems = (caught: { error: { cause: Record<string, unknown> } }) =>
    (caught.error.cause.problems as { path: string }[]).map((one) => one.path)

  before(async () => {
    service = await startService()
    folder = temporaryFolder()
    mkdirSync(join(folder.path, 'out'))
    writeFileSync(join(folder.path, 'out', 'contract.pdf'), content)
    writeFileSync(join(folder.path, 'secret.pdf'), content)
    symlinkSync(join(folder.path, 'secret.pdf'), join(folder.path, 'out', 'link.pdf'))
  })
  after(() => {
    folder.remove()
    return service.close()
  })
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  for (const text of ['/etc/passwd', '/proc/self/environ', pdf, 'no base64, no path']) {
    it(`does not open ${text === pdf ? 'a path' : text} that a message brings as content`, async () => {
      const flow = await start(fromMessage)
      flow.send({ file: text, signers })
      const caught = await flow.caught()
      should(caught.error.code).equal('EID_INVALID_INPUT')
      should(problems(caught)).deepEqual(['file'])
      should(caught.error.message).not.containEql(text)
      should(await service.requests('createDocument')).be.empty()
    })
  }

  for (const [what, file] of [
    ['a Buffer', () => content],
    ['a Uint8Array', () => new Uint8Array(content)],
    ['a stream', () => Readable.from([content.subarray(0, 100), content.subarray(100)])],
    ['base64 text', () => content.toString('base64')],
    ['base64 text in lines', () => content.toString('base64').replace(/(.{76})/g, '$1\r\n')],
    ['a data address', () => `data:application/pdf;base64,${content.toString('base64')}`],
  ] as const) {
    it(`takes ${what} from the message`, async () => {
      const flow = await start(fromMessage)
      flow.send({ file: file(), signers })
      await flow.next()
      should(await arrived()).deepEqual([{ base64Content: content.toString('base64'), fileName: 'contract.pdf' }])
      should(flow.warnings).be.empty()
    })
  }

  it('opens a path that a message brings when the person said that it is one', async () => {
    const flow = await start({ ...fromMessage, fileAs: 'path' })
    flow.send({ file: pdf, signers })
    await flow.next()
    should(await arrived()).deepEqual([{ base64Content: content.toString('base64'), fileName: 'contract.pdf' }])
  })

  it('takes a text of letters and slashes for a path when the person said so, whatever it looks like', async () => {
    const flow = await start({ ...fromMessage, fileAs: 'path' })
    flow.send({ file: content.toString('base64').slice(0, 40), signers })
    should(problems(await flow.caught())).deepEqual(['file'])
    should(await service.requests('createDocument')).be.empty()
  })

  it('takes a Buffer as content also where a path is expected', async () => {
    const flow = await start({ ...fromMessage, fileAs: 'path' })
    flow.send({ file: content, signers })
    await flow.next()
    should(await arrived()).have.length(1)
  })

  it('opens nothing outside the base folder, links followed, and does not say what is there', async () => {
    const flow = await start({ ...fromMessage, fileAs: 'path', baseFolder: join(folder.path, 'out') })
    flow.send({ file: 'contract.pdf', signers })
    await flow.next()
    for (const file of [
      '../secret.pdf',
      '../nothing.pdf',
      join(folder.path, 'secret.pdf'),
      'link.pdf',
      '/etc/passwd',
    ]) {
      flow.send({ file, signers })
      const caught = await flow.caught()
      should(problems(caught)).deepEqual(['file'])
      should(caught.error.message).match(/outside the base folder/)
    }
    should(await service.requests('createDocument')).have.length(1)
  })

  it('confines a path of the form as well', async () => {
    const settings = { fileType: 'path', baseFolder: join(folder.path, 'out') }
    const flow = await start({ ...settings, file: pdf })
    flow.send({ signers })
    should((await flow.caught()).error.message).match(/outside the base folder/)
  })

  it('names a file that can not be read by the path that is typed in the form, and no path of a message', async () => {
    const missing = join(folder.path, 'nothing.pdf')
    const typed = await start({ file: missing, fileType: 'path' })
    typed.send({ signers })
    const { message, cause } = (await typed.caught()).error
    should(message).startWith(`The file ${missing} cannot be read.`)
    should(cause.problems).match([{ path: 'file' }])
    await stopFlow()
    const sent = await start({ ...fromMessage, fileAs: 'path' })
    sent.send({ file: missing, signers })
    should((await sent.caught()).error.message).startWith('File cannot be read.')
  })

  for (const [what, file] of [
    ['automatic', {}],
    ['nothing of the message', fromMessage],
  ] as const) {
    it(`refuses a file name without a file before anything is sent: ${what}`, async () => {
      const flow = await start(file)
      flow.send({ payload: 'no file', signers })
      const caught = await flow.caught()
      should(caught.error).have.properties({ code: 'EID_INVALID_INPUT' })
      should(caught.error.message).match(/^File is missing: /)
      should(flow.statuses.at(-1)?.text).equal('not sent: file')
      should(await service.requests('createDocument')).be.empty()
    })
  }

  it('says that the base folder is not there', async () => {
    const flow = await start({ file: pdf, fileType: 'path', baseFolder: join(folder.path, 'gone') })
    flow.send({ signers })
    should((await flow.caught()).error.code).equal('EID_CONFIG')
  })

  it('warns of a .pdf that does not begin as one, and sends it', async () => {
    const flow = await start(fromMessage)
    flow.send({ file: Buffer.from('agreed'), signers })
    await flow.next()
    should(flow.warnings.join()).equal(sentence('create-document', 'warnings.notPdf', { fileName: 'contract.pdf' }))
    should(await arrived()).have.length(1)
  })
})
