/** What signers fill in before signing, on the message that "wait" sends. */
import should from 'should'
import node from '../../../nodes/wait/wait'
import { answersOf } from '../../../nodes/wait/answers'
import { wakeByEvent } from '../../../lib/runtime/monitor/wake'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import { act, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'

const formFields = [
  { key: 'size', description: 'Shoe size', type: 'text', regex: '\\d+', required: true },
  { key: 'news', description: 'Newsletter', type: 'checkbox' },
]

describe('wait, for answers', () => {
  let service: Service
  let parties: Parties
  const start = () =>
    startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      settings: { pollInterval: '0.05' },
      client: { baseUrl: service.url, retries: 0 },
    })
  const createAsking = (asked: object) =>
    parties.call<{ documentId: string; signers: { url: string }[] }>('POST', '/signature/documents', {
      title: 'Work clothes',
      externalId: 'asking-1',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'contract.txt', base64Content: Buffer.from('agreed').toString('base64') },
      signers: ['ola-1', 'kari-1'].map((externalSignerId) => ({
        externalSignerId,
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
        ui: { dialogs: { before: asked } },
      })),
    })
  const signWith = async (url = '', answers: object) => {
    const app = new URL(url)
    const path = `${app.origin}/sign/${app.searchParams.get('jwt') ?? ''}/sign`
    const body = JSON.stringify({ formFields: answers })
    const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    should(answer.status).equal(200)
  }

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  it('puts them onto the message, the latest of each and those of each signer', async () => {
    const { documentId, signers } = await createAsking({ formFields })
    const flow = await start()
    flow.send({ documentId, answers: { ofAnother: 'document' } })
    await signWith(signers[0]?.url, { size: '43', news: true })
    await service.sandbox.clock.advance(1000)
    await signWith(signers[1]?.url, { size: '38' })
    const msg = await flow.next(0)
    should(msg.answers).deepEqual({ size: '38', news: true })
    should(msg.answersBySigner).deepEqual({ 'ola-1': { size: '43', news: true }, 'kari-1': { size: '38' } })
    should(flow.statuses.map(({ text }) => text).join()).not.match(/43|38/)
  })

  it('leaves the message alone where nothing was asked', async () => {
    const { documentId, signers } = await createAsking({ title: 'Read it first' })
    const flow = await start()
    flow.send({ documentId })
    for (const { url } of signers) await act(url)
    should(await flow.next(0)).not.have.properties(['answers', 'answersBySigner'])
  })

  it('takes them from an event if the record does not contain them', async () => {
    const payload = { documentId: 'told-1', formFields: { size: '43' } }
    await wakeByEvent(RED, 'client', { type: 'document_form_signed', payload })
    should(answersOf(RED, 'told-1', {})).deepEqual({ answers: { size: '43' }, answersBySigner: {} })
    await wakeByEvent(RED, 'client', {
      type: 'document_form_signed',
      payload: { documentId: 'told-2', formFields: 'x' },
    })
    should(answersOf(RED, 'told-2', undefined)).equal(undefined)
  })

  it('takes only answers to questions from a signature', () => {
    const signer = (attributes: unknown, fields: unknown) => ({
      externalSignerId: 'ola-1',
      documentSignature: { attributes },
      ui: { dialogs: { before: { formFields: fields } } },
    })
    const found = answersOf(RED, 'record-1', { signers: [signer({ size: '43', bank: 'Sparebanken' }, formFields)] })
    should(found?.answers).deepEqual({ size: '43' })
    should(answersOf(RED, 'record-2', { signers: [signer({ bank: 'Sparebanken' }, undefined)] })).equal(undefined)
    should(answersOf(RED, 'record-3', { signers: [signer('x', formFields), null] })?.answers).deepEqual({})
  })
})
