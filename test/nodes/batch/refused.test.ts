/** A row whose values were refused is sent only once, because it would be refused again if it is unchanged. */
import should from 'should'
import createDocument from '../../../nodes/create-document/create-document'
import { byNumber, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'
import { sentence } from '../../support/wording'

describe('batch with a row that was refused', () => {
  let service: Service
  let flow: BatchFlow
  before(async () => void (service = await startService()))
  beforeEach(() => service.reset())
  after(() => service.close())
  afterEach(removeFlow)

  const problem = (path: string) => ({
    attempts: 0,
    outcome: 'not-done',
    problems: [{ path, problem: 'It is wrong.' }],
  })
  const answer = (status: number, field?: string) => ({
    attempts: 1,
    outcome: 'not-done',
    status,
    ...(field !== undefined && { errors: [{ field, message: 'It is wrong.' }] }),
  })
  for (const [what, code, cause, isRepeated] of [
    ['by our own validation', 'EID_INVALID_INPUT', problem('signers[0].email'), false],
    ['by the service, for a field', 'EID_REFUSED', answer(400, 'signers[0].signerInfo.email'), false],
    ['by the service, for a field, with another status', 'EID_REFUSED', answer(422, 'title'), false],
    ['because a file cannot be read', 'EID_INVALID_INPUT', problem('file'), true],
    ['by our own validation after a call', 'EID_INVALID_INPUT', { ...problem('amount'), attempts: 1 }, true],
    ['by the service, for no field', 'EID_REFUSED', answer(400), true],
    ['by the service, for its state', 'EID_REFUSED', answer(409, 'status'), true],
    ['by the service, because it is busy', 'EID_RATE_LIMITED', answer(429, 'title'), true],
  ] as const) {
    it(`${isRepeated ? 'sends it again' : 'sends it once'}: ${what}`, async () => {
      flow = await startBatch({ ...byNumber, attempts: 2 })
      flow.send({ payload: [{ number: 'A' }, { number: 'B' }] })
      const [first, second] = await flow.rows(2)
      flow.send({ ...first, error: { message: 'It is wrong.', code, cause, source: { id: 'x' } } })
      if (isRepeated) await flow.answer(1)
      flow.send(second ?? {})
      const { rows } = (await flow.report()).payload
      should(rows.map(({ state }) => state)).deepEqual([isRepeated ? 'done' : 'failed', 'done'])
    })
  }

  it('sends a row with an invalid e-mail address to create document once', async () => {
    const signersRows = [{ firstName: 'Ola', email: '{E-mail}', emailType: 'tpl', notification: 'off' }]
    const document = {
      id: 'way',
      z: 'f',
      type: 'eid-create-document',
      client: 'c',
      wires: [['n']],
      title: 'Lease',
      contactEmail: 'kari.nordmann@example.com',
      file: 'bytes',
      fileType: 'msg',
      fileName: 'a.txt',
      fileNameType: 'str',
      signersType: 'form',
      signersRows,
    }
    flow = await startBatch(
      { ...byNumber, wires: [['way'], ['out1']], attempts: 5 },
      { client: { baseUrl: service.url }, modules: [createDocument], more: [document] },
    )
    const payload = ['ola@', 'ola.nordmann@example.com'].map((mail, at) => ({ number: `C-${at}`, 'E-mail': mail }))
    flow.send({ payload, bytes: Buffer.from('A lease') })
    flow.send(await flow.caught())
    const { payload: report } = await flow.report()
    should(report).have.properties({ done: 1, failed: 1 })
    should(report.rows[0]).have.properties({ key: 'C-0', state: 'failed', code: 'EID_INVALID_INPUT' })
    should(report.rows[0]?.problem).startWith(
      sentence('client', 'problems.email', { path: 'Signer 1: e-mail ({E-mail})' }),
    )
  })
})
