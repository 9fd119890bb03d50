/** "Ask the signer": the questions in the form of "create document", and the place of the answers. */
import should from 'should'
import create from '../../../nodes/create-document/create-document'
import wait from '../../../nodes/wait/wait'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { saying } from '../../support/wording'

const ola = { externalSignerId: 'ola-1', firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' }
const form = {
  title: 'Lease',
  contactEmail: 'kari.nordmann@example.com',
  file: Buffer.from('agreed').toString('base64'),
  fileType: 'base64',
  fileName: 'contract.txt',
  fileNameType: 'str',
  signersRows: [ola],
}
const size = {
  label: 'Size for {name}',
  labelType: 'tpl',
  key: 'size',
  answer: 'text',
  required: 'true',
  pattern: '\\d+',
}
const news = { label: 'Newsletter', key: 'news', answer: 'checkbox', pattern: 'x' }

describe('what "create document" asks the signers', () => {
  let service: Service
  const start = (settings: object) =>
    startFlow({
      type: 'eid-create-document',
      module: create,
      settings: { ...form, ...settings },
      client: { baseUrl: service.url },
      modules: [wait],
    })
  const fieldsSent = async () => {
    const [request] = await service.requests('createDocument')
    const { signers } = request?.body as { signers: { ui: { dialogs: { before: { formFields: unknown } } } }[] }
    return signers.map(({ ui }) => ui.dialogs.before.formFields)
  }

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('goes to every signer, as the service names it', async () => {
    const flow = await start({
      questionsRows: [size, news],
      signersRows: [ola, { ...ola, externalSignerId: 'kari-1' }],
    })
    flow.send({ payload: { name: 'the shoes' } })
    await flow.next()
    const asked = [
      { key: 'size', description: 'Size for the shoes', type: 'text', required: true, regex: '\\d+' },
      { key: 'news', description: 'Newsletter', type: 'checkbox' },
    ]
    should(await fieldsSent()).deepEqual([asked, asked])
  })

  it('may come with the message, in the words of the service', async () => {
    const flow = await start({ questions: 'asked', questionsType: 'msg' })
    flow.send({ asked: [{ key: 'size', type: 'text', somethingNew: 1 }] })
    await flow.next()
    should(await fieldsSent()).deepEqual([[{ key: 'size', type: 'text', somethingNew: 1 }]])
  })

  const wrong: readonly [string, object, RegExp][] = [
    ['no key', { questionsRows: [{ label: 'Size' }] }, /Question 1: key of the answer is missing/],
    ['no label', { questionsRows: [{ key: 'size' }] }, /Question 1: question is missing/],
    [
      'two of one key',
      { questionsRows: [size, { ...news, key: 'size' }] },
      saying('create-document', 'problems.repeatedQuestion', { first: 1 }),
    ],
    ['an invalid pattern', { questionsRows: [{ ...size, pattern: '[' }] }, /Question 1: pattern is not a valid/],
    [
      'no key, in the message',
      { questions: 'asked', questionsType: 'msg' },
      /Question 1: key of the answer is missing/,
    ],
  ]
  for (const [what, settings, expected] of wrong) {
    it(`is refused with ${what}`, async () => {
      const flow = await start(settings)
      flow.send({ payload: { name: 'x' }, asked: [{ label: 'Size' }] })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).match(expected)
      should(await service.requests('createDocument')).have.length(0)
    })
  }
})
