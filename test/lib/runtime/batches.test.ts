/** The list of batches for people: those of every node, oldest first, and none of a removed node. */
import should from 'should'
import { batchesOf, listBatches, registerBatches, type BatchProgress } from '../../../lib/runtime/monitor/batches'

const RED = {}

const nothing = () => Promise.resolve(false)
const batch = (id: string, started: number): BatchProgress => ({
  id,
  started,
  node: { id: 'n', name: '', flow: 'f' },
  total: 2,
  done: 1,
  failed: 0,
  changed: 0,
  paused: false,
})
const source = (list: () => Promise<BatchProgress[]>) => ({ list, pause: nothing, resume: nothing })

describe('the list of batches', () => {
  it('holds those of every node, the oldest first, whatever one of them cannot read', async () => {
    const gone = [
      registerBatches(
        RED,
        'one',
        source(() => Promise.resolve([batch('late', 3), batch('early', 1)])),
      ),
      registerBatches(
        RED,
        'two',
        source(() => Promise.resolve([batch('middle', 2)])),
      ),
      registerBatches(
        RED,
        'away',
        source(() => Promise.reject(new Error('away'))),
      ),
    ]
    should((await listBatches(RED)).map(({ id }) => id)).deepEqual(['early', 'middle', 'late'])
    for (const forget of gone) forget()
    should(await listBatches(RED)).deepEqual([])
  })

  it('knows the node of the next deploy, even if the node before it signs off later', () => {
    const before = source(() => Promise.resolve([]))
    const after = source(() => Promise.resolve([]))
    const forgetBefore = registerBatches(RED, 'n', before)
    const forgetAfter = registerBatches(RED, 'n', after)
    forgetBefore()
    should(batchesOf(RED, 'n')).equal(after)
    forgetAfter()
    should(batchesOf(RED, 'n')).equal(undefined)
  })
})
