/** The short form of `npm run soak -- flows`, and proof that the model finds faults. @rest */
import should from 'should'
import { judgeEnd, judgeTap, type Played } from './judge'
import { planGroups, type PlanOptions } from './plan'
import type { Made } from './service'
import { playFlows } from './tally'

describe('whole flows', () => {
  const quiet = () => undefined
  const good = (options: Pick<PlanOptions, 'histories' | 'store' | 'shapes' | 'events'>) => async () => {
    const { doubled, lost, untrue, ...tally } = await playFlows({ seed: 2031, ...options }, quiet)
    should({ doubled, lost, untrue }).deepEqual({ doubled: [], lost: [], untrue: [] })
    should(tally.stoodStill).equal(0)
    tally.messages.should.be.above(options.histories * 8)
  }

  it(
    'double, lose and misreport nothing when Node-RED is killed',
    good({
      histories: 8,
      store: 'embedded',
      events: ['kill', 'clock', 'disk-full'],
      shapes: ['two-documents', 'wait-beside', 'wait-within', 'messages'],
    }),
  )

  it(
    'double, lose and misreport nothing when they are deployed while messages are on their way',
    good({
      histories: 10,
      store: 'embedded',
      events: ['deploy-full', 'deploy-flows', 'deploy-nodes'],
      shapes: ['wait-beside', 'wait-within'],
    }),
  )

  it('are planned the same for the same seed', () => {
    const options = { seed: 1, histories: 30, store: 'embedded' } as const
    should(planGroups(options)).deepEqual(planGroups(options))
    should(planGroups(options)).not.deepEqual(planGroups({ ...options, seed: 2 }))
  })

  it('are compared with the truth', () => {
    const [group] = planGroups({ seed: 1, histories: 1, store: 'embedded', shapes: ['two-deposits'] })
    const [planned] = group?.histories ?? []
    if (!planned) throw new Error('nothing was planned')
    const history = { ...planned, rows: 1 }
    const made = (...parts: string[]): Made[] =>
      parts.map((part, at) => ({ part, subject: 's0-0', id: `d${at}`, signer: undefined }))
    const report = (row: object, counts: object) => ({
      tap: 'report-0',
      at: 0,
      msg: { status: 'ended', payload: { total: 1, rows: [{ key: 's0-0', ...row }], ...counts } },
    })
    const verdictOn = (tap: ReturnType<typeof report>, truth: Made[], redelivered = false) => {
      const row = { tap: 'row-0', at: 0, msg: { batch: { key: 's0-0' }, redelivered } }
      const played: Played = { history, taps: [row, tap], verdict: { doubled: [], lost: [], untrue: [] } }
      judgeTap(tap, played, { made: truth, isSigned: () => false })
      judgeEnd(played, { made: truth, isSigned: () => false }, { kills: [], store: 'embedded' })
      const { doubled, lost, untrue } = played.verdict
      return [doubled, lost, untrue].map(({ length }) => length)
    }
    const done = report({ state: 'done' }, { done: 1, failed: 0 })
    should(verdictOn(done, made('deposit', 'other'))).deepEqual([0, 0, 0])
    should(verdictOn(done, made('deposit'))).deepEqual([0, 0, 1])
    should(verdictOn(done, made('deposit', 'deposit', 'other'))).deepEqual([1, 0, 0])
    should(verdictOn(done, made('deposit', 'deposit', 'other'), true)).deepEqual([0, 0, 0])
    const failed = { state: 'failed', outcome: 'not-done' }
    should(verdictOn(report(failed, { done: 0, failed: 1 }), [])).deepEqual([0, 0, 0])
    should(verdictOn(report(failed, { done: 0, failed: 1 }), made('deposit'))).deepEqual([0, 0, 1])
    should(verdictOn(report(failed, { done: 1, failed: 0 }), [])).deepEqual([0, 0, 1])
    should(
      verdictOn(report({ state: 'done', depositId: 'd9' }, { done: 1, failed: 0 }), made('deposit', 'other')),
    ).deepEqual([0, 0, 1])
  })
})
