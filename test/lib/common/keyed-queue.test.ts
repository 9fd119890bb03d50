/** Tasks with the same key run one after the other. */
import should from 'should'
import { createKeyedQueue } from '../../../lib/common/keyed-queue'

describe('a queue by key', () => {
  it('runs tasks with the same key in order, also after a failure, and those with another key at once', async () => {
    const { run } = createKeyedQueue()
    const seen: string[] = []
    let open: () => void = () => undefined
    const first = run('a', () => new Promise<void>((resolve) => (open = resolve))).then(() => void seen.push('first'))
    const failing = run('a', () => Promise.reject(new Error('second'))).catch(() => void seen.push('second'))
    const third = run('a', () => Promise.resolve(seen.push('third')))
    await run('b', () => Promise.resolve(seen.push('other')))
    should(seen).deepEqual(['other'])
    open()
    await Promise.all([first, failing, third])
    should(seen).deepEqual(['other', 'first', 'second', 'third'])
  })

  it('waits for nothing once its signal is aborted', async () => {
    const { run } = createKeyedQueue()
    const stop = new AbortController()
    void run('a', () => new Promise(() => undefined))
    const stopped = run('a', () => Promise.resolve('ran'), stop.signal)
    stop.abort()
    should(await stopped).equal('ran')
  })
})
