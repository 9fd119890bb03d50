/** The status of "batch", calculated without a node. */
import should from 'should'
import { BatchSet } from '../../../nodes/batch/run/batch-state'
import { endedStatus, Progress, progressStatus } from '../../../nodes/batch/run/progress'
import { createRateLimit } from '../../../nodes/batch/run/rate-limit'
import { clock } from '../../support/kept-batches'
import { untilCount } from '../../support/time'

const texts: Record<string, string> = { 'status.language': 'en-GB' }
const translate = (key: string, params: Record<string, string | number> = {}) =>
  texts[key] ?? [key.replace('status.', ''), ...Object.values(params)].join(' ')
const counts = { total: 2_000, done: 309, failed: 3, changed: 0, inFlight: 8 }
const noon = new Date(2030, 4, 3, 12).getTime()
const situation = {
  counts: [counts],
  isActive: true,
  remainingMs: undefined,
  hasNoWayBack: false,
  stuckRow: undefined,
  now: noon,
}

describe('the status of batch', () => {
  it('says how many have ended, how many failed, and when all will have', () => {
    should(progressStatus({ ...situation, remainingMs: 2 * 3_600_000 }, translate)).deepEqual({
      fill: 'blue',
      shape: 'dot',
      text: 'progress 312 2,000, failed 3, doneAt 14:00',
    })
  })

  it('says how many have changed, which have not failed', () => {
    const changed = { ...counts, failed: 0, changed: 2 }
    should(progressStatus({ ...situation, counts: [changed] }, translate).text).equal('progress 311 2,000, changed 2')
    should(endedStatus(changed, translate)).match({ fill: 'yellow', text: 'ended 309, changed 2' })
  })

  it('adds up the batches', () => {
    const { text } = progressStatus({ ...situation, counts: [counts, { ...counts, failed: 0 }] }, translate)
    should(text).equal('progress 621 4,000, failed 3')
  })

  it('names the day when the end is not today, and no hour when it is far away', () => {
    const at = (remainingMs: number) => progressStatus({ ...situation, remainingMs }, translate).text
    should(at(13 * 3_600_000)).endWith('doneAt Sat 01:00')
    should(at(10 * 86_400_000)).endWith('doneAt 13 May')
  })

  it('names the row that holds everything up, in yellow', () => {
    should(progressStatus({ ...situation, remainingMs: 1, stuckRow: 1_204 }, translate)).deepEqual({
      fill: 'yellow',
      shape: 'ring',
      text: 'progress 312 2,000, stuck 1,204',
    })
  })

  it('says in yellow that rows have no way back, until a row holds everything up', () => {
    const isLost = { ...situation, hasNoWayBack: true }
    should(progressStatus(isLost, translate)).deepEqual({
      fill: 'yellow',
      shape: 'ring',
      text: 'progress 312 2,000, noWayBack',
    })
    should(progressStatus({ ...isLost, stuckRow: 7 }, translate).text).equal('progress 312 2,000, stuck 7')
    should(progressStatus({ ...isLost, isActive: false }, translate).text).startWith('paused')
  })

  it('says that it is paused, in gray, with no end', () => {
    should(progressStatus({ ...situation, isActive: false, remainingMs: 1, stuckRow: 3 }, translate)).deepEqual({
      fill: 'grey',
      shape: 'dot',
      text: 'paused, progress 312 2,000, failed 3',
    })
  })

  it('says at the end how many are done, and whether the list was empty', () => {
    should(endedStatus(counts, translate)).deepEqual({ fill: 'yellow', shape: 'dot', text: 'ended 309, failed 3' })
    should(endedStatus({ total: 0, done: 0, failed: 0, changed: 0, inFlight: 0 }, translate)).have.properties({
      fill: 'green',
      text: 'empty',
    })
  })

  it('is left alone after a stop, whatever rows end later', async () => {
    const shown: string[] = []
    const progressOf = (name: string) => {
      const status = { show: () => undefined, setResult: () => undefined, clear: () => undefined }
      return new Progress(
        {
          translate,
          clock,
          rateLimit: createRateLimit(0, 'second', clock),
          status: { ...status, rest: () => void shown.push(name) },
          emitProgress: () => undefined,
          stuck: () => undefined,
          mayComeBack: () => true,
          noWayBack: () => undefined,
        },
        new BatchSet(),
        { count: 0, standstill: undefined },
      )
    }
    const stopped = progressOf('stopped')
    const running = progressOf('running')
    stopped.stop()
    stopped.changed()
    running.changed()
    await untilCount(() => shown.length, 1)
    should(shown).deepEqual(['running'])
    running.stop()
  })
})
