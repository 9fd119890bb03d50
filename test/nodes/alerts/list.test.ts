/** What "alerts" says about a list with more failures than anyone would read, in the node's language. */
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import batch from '../../../nodes/batch/batch'
import cancel from '../../../nodes/deposit-cancel/deposit-cancel'
import { removeFlow, startFlow } from '../../support/flow'
import type { FlowMessage, NodeModuleLike } from '../../support/node-types'
import { saying, sentence } from '../../support/wording'

const change = require('@node-red/nodes/core/function/15-change.js') as NodeModuleLike

describe('alerts about a list', () => {
  afterEach(removeFlow)
  for (const [language, others] of [
    ['nb', 'og 2 til'],
    ['en', 'and 2 more'],
  ] as const) {
    it(`name the first rows that failed, and count the others (${language})`, async () => {
      const rules = [{ t: 'set', p: 'error', pt: 'msg', to: '{"message":"no rent"}', tot: 'json' }]
      const flow = await startFlow({
        type: 'eid-alerts',
        module: alerts,
        modules: [batch, change],
        client: { baseUrl: 'http://127.0.0.1:9' },
        settings: { client: '', kinds: 'list-finished-with-failures', language },
        more: [
          { id: 'b', z: 'f', type: 'eid-batch', attempts: 1, wires: [['fail'], []] },
          { id: 'fail', z: 'f', type: 'change', rules, wires: [['b']] },
        ],
      })
      flow.send({ payload: Array.from({ length: 12 }, (_, row) => ({ row })) }, 'b')
      const { payload, text } = await flow.next()
      const { rows } = payload as FlowMessage & { rows: string[] }
      should(rows).have.length(11)
      should(rows.at(-1)).equal(others)
      should(text).match(new RegExp(`: 1; .*; 10; ${others}\\n`))
      // What a flow itself says about a row may contain personal data.
      should(text).not.containEql('no rent')
    })
  }

  it('say why, in their own language, if all rows failed with the same error of an eID node', async () => {
    const flow = await startFlow({
      type: 'eid-alerts',
      module: alerts,
      modules: [batch, cancel],
      client: { baseUrl: 'http://127.0.0.1:9', retries: 0 },
      settings: { client: '', kinds: 'list-finished-with-failures', language: 'nb' },
      more: [
        { id: 'b', z: 'f', type: 'eid-batch', attempts: 1, wires: [['cancel'], []] },
        {
          id: 'cancel',
          z: 'f',
          type: 'eid-deposit-cancel',
          client: 'c',
          wires: [['b']],
          depositId: 'payload.id',
          depositIdType: 'msg',
        },
      ],
    })
    flow.send({ payload: [{ id: 'd-1' }, { id: 'd-2' }] }, 'b')
    for (const error of [await flow.caught(), await flow.caught()]) flow.send(error, 'b')
    const payload = (await flow.next()).payload as FlowMessage & { sentence: string }
    const reason = sentence(
      'client',
      'errors.EID_NETWORK',
      { reason: '@network.ECONNREFUSED', done: '@outcomes.notDone', advice: '@advice.ECONNREFUSED' },
      'nb',
    )
    should(payload.sentence).match(
      saying('alerts', 'sentences.listReason', { done: 0, total: 2, failed: 2, reason }, 'nb'),
    )
  })
})
