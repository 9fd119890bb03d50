/** "document" waits for a file that is not ready yet: up to its time limit, and only while the file can still come. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { listErrors } from '../../support/errors'
import { sentenceOf } from '../../../lib/runtime/monitor/error-sentence'
import { translateInto } from '../../../lib/runtime/node-red/texts'
import english from '../../../locales/en-US/document.json'
import norwegian from '../../../locales/nb/document.json'
import node from '../../../nodes/document/document'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { json, startStreamServer, type StreamServer } from '../../support/servers/stream-server'
import { until } from '../../support/time'

const catalogs = [
  ['en', english],
  ['nb', norwegian],
] as const

/** The sentence of an error as the sidebar shows it to a reader of this language. */
function sentenceIn(language: string, { message }: { readonly message: string }): string {
  const entry = listErrors().find(({ text }) => text === message)
  return entry ? sentenceOf(entry, translateInto(language, 'document')) : ''
}

describe('waiting until the file is ready', () => {
  let server: StreamServer
  let states: unknown[]
  let document: unknown
  const start = (settings: object) =>
    startFlow({
      type: 'eid-document',
      module: node,
      settings: { operation: 'download', fileFormat: 'pades', waitUntilReady: true, waitTimeout: '1', ...settings },
      client: { baseUrl: server.url, retries: 0 },
    })
  const asked = (ending: string) => server.asked.filter(({ path }) => path.endsWith(ending)).length
  const failure = async (flow: Flow) => {
    flow.send({ documentId: 'a' })
    return (await flow.caught()).error
  }

  before(async () => {
    server = await startStreamServer((call) => {
      if (call.path.endsWith('/status')) json(call, states.length > 1 ? states.shift() : states[0])
      else if (call.path.endsWith('/files')) call.response.end('%PDF agreed')
      else json(call, document)
    })
  })
  after(() => server.close())
  beforeEach(() => {
    server.asked.length = 0
    document = { documentId: 'a', dataToSign: { fileName: 'contract.pdf' } }
    states = [{ documentStatus: 'partialsigned', completedPackages: ['unsigned'] }]
  })
  afterEach(stopFlow)

  it('waits the whole time, asks a last time at its end, and says what it waited for', async () => {
    const begin = performance.now()
    const error = await failure(await start({}))
    should(performance.now() - begin).be.aboveOrEqual(1000)
    should(asked('/status')).equal(2)
    should(error.code).equal('EID_TIMEOUT')
    should(error.message).match(/"signed PDF \(PAdES\)"/)
    should(error.message).match(/document: signed by some/)
    should(error.message).match(/\b1(\.\d)? seconds/)
    should(error.message).not.match(/did not answer/)
    should(error.cause).have.properties({
      method: 'GET',
      path: '/signature/documents/a/status',
      status: 200,
      attempts: 2,
      outcome: 'not-done',
    })
    should(asked('/files')).equal(0)
  })

  it('takes the file when it comes in the last moment', async () => {
    states.push({ documentStatus: 'signed', completedPackages: ['pades'] })
    const flow = await start({})
    flow.send({ documentId: 'a' })
    should(String((await flow.next()).payload)).equal('%PDF agreed')
  })

  it('ignores the status of another document', async () => {
    states = [{ documentId: 'b', documentStatus: 'signed', completedPackages: ['pades'] }]
    should((await failure(await start({}))).code).equal('EID_SERVICE')
    should(asked('/files')).equal(0)
  })

  for (const state of ['canceled', 'expired']) {
    it(`stops at once when the document is ${state}`, async () => {
      states = [{ documentStatus: state, completedPackages: ['unsigned'] }]
      const error = await failure(await start({ waitTimeout: '300' }))
      should(error.code).equal('EID_FAILED')
      should(error.message).match(new RegExp(state))
      should(error.cause).have.properties({ method: 'GET', path: '/signature/documents/a/status', status: 200 })
    })
  }

  const otherFormats = { packaging: { signaturePackageFormats: ['xades'] } }
  for (const [fileFormat, what, dataToSign] of [
    ['xades', 'a PDF for which no XML was asked', { fileName: 'contract.pdf' }],
    ['pades', 'a text document', { fileName: 'contract.TXT' }],
    ['pades', 'a document that was created for other formats', otherFormats],
  ] as const) {
    it(`stops at once when ${fileFormat} is asked of ${what}`, async () => {
      document = { documentId: 'a', dataToSign }
      const error = await failure(await start({ waitTimeout: '300', fileFormat }))
      should(error.code).equal('EID_FAILED')
      should(asked('/status')).equal(1)
      for (const [language, { words }] of catalogs) {
        const sentence = sentenceIn(language, error)
        should(sentence).containEql(words.fileFormat[fileFormat]).and.containEql(words.fileFormat.standard_packaging)
        should(sentence).not.match(/pades|xades|standard_packaging|__/)
      }
    })
  }

  for (const [what, dataToSign] of [
    ['a text document', { fileName: 'contract.txt' }],
    ['a document that was created for other formats', otherFormats],
  ] as const) {
    it(`says that it was the name of the file that asked for a signed PDF of ${what}`, async () => {
      document = { documentId: 'a', dataToSign }
      const saveTo = join(tmpdir(), 'contract.pdf')
      const error = await failure(await start({ fileFormat: 'standard_packaging', saveTo }))
      should(error.code).equal('EID_FAILED')
      for (const [language, { fields, words }] of catalogs) {
        const sentence = sentenceIn(language, error)
        should(sentence).containEql(' contract.pdf').and.containEql(fields.saveTo)
        should(sentence).containEql(words.fileFormat.standard_packaging)
        should(sentence).not.match(/pades|standard_packaging|__/)
      }
    })
  }

  it('waits for a text document that is signed as PDF, and for formats that were asked for', async () => {
    for (const dataToSign of [
      { fileName: 'contract.txt', convertToPDF: true },
      { fileName: 'contract.pdf', packaging: { signaturePackageFormats: ['no_eid_pades'] } },
    ]) {
      document = { documentId: 'a', dataToSign }
      states = [{ documentStatus: 'unsigned' }, { documentStatus: 'signed', completedPackages: ['pades'] }]
      const flow = await start({})
      flow.send({ documentId: 'a' })
      should(String((await flow.next()).payload)).equal('%PDF agreed')
      await stopFlow()
    }
  })

  it('says that the flow was stopped, not that the time was over', async () => {
    const flow = await start({ waitTimeout: '300' })
    flow.send({ documentId: 'a' })
    await until(() => asked('/a') > 0)
    const errors: unknown[] = []
    flow.node().on('call:error', ({ args }: { args: [{ code?: string }] }) => void errors.push(args[0].code))
    await flow.redeploy({ name: 'again' })
    should(errors).containEql('EID_NETWORK')
    should(errors).not.containEql('EID_TIMEOUT')
  })
})
