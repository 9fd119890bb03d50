/** The table of decisions about a failed row: whether it may be sent again, and what the report says exists. */
import should from 'should'
import type { Translate } from '../../../lib/api/errors/texts'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { RowError } from '../../../lib/runtime/monitor/row-owners'
import { hasActed, madeBy, partlyFailed, verdictOf, type Failure } from '../../../nodes/batch/rows/verdict'

const translate = ((key: string, params: Readonly<Record<string, string>> = {}) =>
  [key, ...Object.values(params)].join(' ')) as Translate

const call = (values: Partial<RowCall>): RowCall => ({
  call: 'POST /share/',
  subject: '',
  isOwn: false,
  outcome: 'not-done',
  ...values,
})
const own = (values: Partial<RowCall> = {}) =>
  call({ call: 'POST /documents', subject: 'key-1', isOwn: true, outcome: 'unknown', ...values })
const failed = (outcome: Failure['outcome'], values: Partial<Failure> = {}): Failure => ({
  failed: true,
  outcome,
  calls: [],
  result: { outcome, problem: 'The e-mail address is wrong. Nothing was sent.' },
  ...values,
})
/** The error of the row in our node, and what it says without its end. */
const errors = [
  { text: 'The e-mail address is wrong. Nothing was sent.', reason: 'The e-mail address is wrong.' },
] as unknown as readonly RowError[]
type Known = Omit<Parameters<typeof verdictOf>[1], 'calls'>
const verdict = (end: Failure, calls: RowCall[] = [], known: Partial<Known> = {}) =>
  verdictOf(end, { isComplete: true, errors, ...known, calls }, translate)

describe('the verdict on a row that failed', () => {
  describe('leaves it as it is', () => {
    it('when nothing was called', () => {
      const end = failed('not-done')
      should(verdict(end)).equal(end)
    })

    it('when its last call may have acted, and nothing was made before', () => {
      const end = failed('unknown')
      should(verdict(end)).equal(end)
    })

    it('when an earlier sending certainly did nothing', () => {
      const end = failed('not-done')
      should(verdict(end, [], { before: { outcome: 'not-done' } })).equal(end)
    })
  })

  describe('is "look first", and the row is not sent again', () => {
    for (const [what, end, calls, known, problem] of [
      [
        'when a call before the last one was done',
        failed('not-done'),
        [call({ outcome: 'done', made: { shareId: 'sh-1' } })],
        {},
        'rows.made made.shareId sh-1 The e-mail address is wrong.',
      ],
      [
        'and names each thing once',
        failed('not-done', { result: { shareId: 'sh-1', problem: 'No.' } }),
        [call({ outcome: 'done', made: { shareId: 'sh-1' } }), call({ outcome: 'done', call: 'PUT /x', subject: 'a' })],
        {},
        'rows.made made.shareId sh-1, PUT /x a No.',
      ],
      [
        'when it brings back an id that no noted call made',
        failed('not-done', { result: { depositId: 'dep-1', documentId: 'doc-9', problem: '' } }),
        [],
        {},
        'rows.made made.documentId doc-9, made.depositId dep-1',
      ],
      [
        'when a call done for it made nothing with an id',
        failed('unknown'),
        [call({ outcome: 'done', call: 'DELETE /x' })],
        {},
        'rows.made DELETE /x The e-mail address is wrong.',
      ],
      [
        'when it was lost after something was done',
        failed('not-done'),
        [call({ outcome: 'done', made: { depositId: 'dep-1' } })],
        { isLost: true },
        'rows.lostMade made.depositId dep-1 The e-mail address is wrong.',
      ],
      [
        'when a call that is not its own document may have been done, each named once',
        failed('not-done'),
        [call({ outcome: 'unknown' }), call({ outcome: 'unknown' }), call({ outcome: 'unknown', subject: 'b' })],
        {},
        'rows.mayHaveMade POST /share/, POST /share/ b The e-mail address is wrong.',
      ],
      [
        'when it was lost while such a call was on its way',
        failed('not-done'),
        [call({ outcome: 'unknown' })],
        { isLost: true },
        'rows.lostMayHaveMade POST /share/ The e-mail address is wrong.',
      ],
      [
        'when an earlier sending was lost unseen',
        failed('not-done'),
        [],
        { isComplete: false },
        'rows.lostBefore The e-mail address is wrong.',
      ],
      [
        'when the document of another key is there beside its own',
        failed('not-done', { result: { documentId: 'doc-2', problem: '' } }),
        [own({ outcome: 'done', made: { documentId: 'doc-1' } })],
        {},
        'rows.made made.documentId doc-2',
      ],
    ] as const) {
      it(what, () => {
        const result = verdict(end, [...calls], known)
        should(result.outcome).equal('unknown')
        should(result.result.outcome).equal('unknown')
        should(result.result.problem).equal(problem)
        should(result.isRepeatable).be.undefined()
      })
    }
  })

  describe('lets it be sent again, because it finds its own document', () => {
    it('at once when the document is known, whose id the report then names', () => {
      const result = verdict(failed('not-done'), [own({ outcome: 'done', made: { documentId: 'doc-1' } })])
      should(result).have.properties({ outcome: 'unknown', isRepeatable: 'now' })
      should(result.result.documentId).equal('doc-1')
      should(result.result.problem).equal('rows.madeOwn doc-1 The e-mail address is wrong.')
    })

    it('at once when the document was made by an earlier sending, also when it comes back with it', () => {
      const end = failed('not-done', { result: { documentId: 'doc-1', problem: '' } })
      const result = verdict(end, [], { before: { documentId: 'doc-1' } })
      should(result.isRepeatable).equal('now')
      should(result.result.problem).equal('rows.madeOwn doc-1')
    })

    it('at once when the answer to its own document is outstanding', () => {
      const result = verdict(failed('not-done'), [own()])
      should(result).have.properties({ outcome: 'unknown', isRepeatable: 'now' })
      should(result.result.problem).equal('rows.mayHaveMadeOwn The e-mail address is wrong.')
    })

    it('at once when an earlier sending may have made it', () => {
      should(verdict(failed('not-done'), [], { before: { outcome: 'unknown' } }).isRepeatable).equal('now')
    })

    it('with the list when the last call was to make it, and its answer is missing', () => {
      const end = failed('unknown', { doubtfulKey: 'key-1' })
      const result = verdict(end, [own()])
      should(result).have.properties({ outcome: 'unknown', isRepeatable: 'later' })
      should(result.result.problem).equal('rows.mayHaveMadeOwn The e-mail address is wrong.')
    })
  })

  describe('does not, with the last call unknown', () => {
    const end = failed('unknown', { doubtfulKey: 'key-1' })
    for (const [what, calls, known] of [
      ['when the key in doubt is not its own', [own({ subject: 'key-2' })], {}],
      ['when another call may have acted too', [own(), call({ outcome: 'unknown' })], {}],
      ['when an earlier sending was lost unseen', [own()], { isComplete: false }],
      ['when no call of its own is noted', [], {}],
    ] as const) {
      it(what, () => {
        should(verdict(end, [...calls], known)).equal(end)
      })
    }
  })

  it('leaves out what the node said about its own call alone, and nothing of an error that is not ours', () => {
    const error = { text: 'No file. Nothing was sent.', reason: 'No file.' } as RowError
    const said = (problem: string) =>
      partlyFailed(failed('not-done', { result: { problem } }), [error], translate).result.problem
    should(said('No file. Nothing was sent.')).equal('rows.partly No file.')
    should(said('It is gone. Nothing was sent.')).equal('rows.partly It is gone. Nothing was sent.')
    should(said('')).equal('rows.partly')
  })

  it('knows what calls have acted, and the latest ids that they made', () => {
    should(hasActed([])).be.false()
    should(hasActed([own()])).be.false()
    should(hasActed([own(), call({})])).be.true()
    const calls = [call({ made: { shareId: 'a' } }), own(), call({ made: { shareId: 'b', depositId: 'c' } })]
    should(madeBy(calls)).deepEqual({ shareId: 'b', depositId: 'c' })
  })
})
