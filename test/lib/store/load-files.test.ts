/** The files that a store finds when it starts: which of them counts, which are left alone, and when one is retried. */
import { basename } from 'node:path'
import should from 'should'
import { disk, type Disk } from '../../../lib/store/local/disk'
import { Generations } from '../../../lib/store/local/generations'
import { loadFiles } from '../../../lib/store/local/load-files'
import { isTemporary, reasonOf } from '../../../lib/store/local/text-log'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'

const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })

describe('the files of a store at its start', () => {
  /** The texts by name of the file. `torn` is not an item; other words in capitals are codes of errors. */
  let files: Map<string, string>
  let generations: Generations
  let time: SimulatedTime
  let unlinked: string[]
  const faked: Disk = {
    ...disk,
    list: () => Promise.resolve([...files.keys()]),
    readNow(path) {
      const text = files.get(basename(path)) ?? 'ENOENT'
      if (/^[A-Z]+$/.test(text)) throw systemError(text)
      return text
    },
    remove(path) {
      unlinked.push(basename(path))
      return Promise.reject(systemError('EBUSY'))
    },
  }
  const load = async () => {
    const found: Record<string, string> = {}
    const damaged: string[] = []
    const late = await loadFiles({
      folder: 'kept',
      disk: faked,
      generations,
      found(name, text) {
        if (text === 'torn') throw new Error('torn')
        found[name] = text
      },
      unreadable: (error) => damaged.push(reasonOf(error)),
    })
    return { found, damaged, late: [...late.keys()] }
  }
  beforeEach(() => {
    ;[generations, time, unlinked] = [new Generations(), simulateTime(), []]
  })
  afterEach(() => time.end())

  it('are read newest first by number, in whatever order they are listed', async () => {
    files = new Map(['9', '11', '10', '8'].map((number) => [`e1.${number}`, `text ${number}`]))
    files.set('w2.1', 'other')
    should(await load()).deepEqual({ found: { e1: 'text 11', w2: 'other' }, damaged: [], late: [] })
    should(generations.get('e1')).deepEqual({ current: 11, all: [8, 9, 10, 11] })
    should(generations.get('w2')).deepEqual({ current: 1, all: [1] })
  })

  it('give way to the one before if they are damaged or gone', async () => {
    files = new Map(Object.entries({ 'e1.1': 'oldest', 'e1.2': 'old', 'e1.3': 'torn', 'e1.4': 'ENOENT' }))
    should(await load()).deepEqual({ found: { e1: 'old' }, damaged: ['ENOENT', '@reasons.unknown'], late: [] })
    should(generations.get('e1')).deepEqual({ current: 2, all: [1, 2, 3, 4] })
  })

  it('do not give way to an older one while they cannot be read, and are retried for less than a second', async () => {
    files = new Map(Object.entries({ 'e1.1': 'old', 'e1.2': 'newer', 'e1.3': 'EMFILE', 'e2.1': 'fine' }))
    const loading = load()
    await time.pass(600, 10)
    let isDone = false
    void loading.then(() => (isDone = true))
    await time.pass(10, 10)
    should(isDone).be.false()
    await time.pass(20, 10)
    should(await loading).deepEqual({ found: { e2: 'fine' }, damaged: [], late: ['e1'] })
    should(generations.get('e1')).deepEqual({ current: 3, all: [1, 2, 3] })
  })

  it('are found at once when they can be read again', async () => {
    files = new Map(Object.entries({ 'e1.1': 'old', 'e1.2': 'EMFILE' }))
    const loading = load()
    await time.pass(10, 10)
    files.set('e1.2', 'new')
    await time.pass(10, 10)
    should(await loading).deepEqual({ found: { e1: 'new' }, damaged: [], late: [] })
  })

  it('that were being written are removed; those of others are left alone', async () => {
    const others = ['xe1.2', 'e1.2.bak', 'e1', 'e1.', 'E1.2', 'n1.2', 'e.2', 'e1.new.txt']
    files = new Map([...others, 'e1.3.new', 'e1.1'].map((name) => [name, name]))
    should(await load()).deepEqual({ found: { e1: 'e1.1' }, damaged: [], late: [] })
    should(generations.get('e1')).deepEqual({ current: 1, all: [1] })
    should(unlinked).deepEqual(['e1.3.new'])
  })
})

describe('the generations of files', () => {
  it('of an item are known until they are deleted', () => {
    const generations = new Generations()
    generations.set('a', { current: 2, all: [1, 2] })
    generations.set('b', { current: 1, all: [1] })
    generations.set('c', { current: 0, all: [5] })
    generations.set('d', { current: 1, all: [1, 2] })
    should(generations.get('a')).deepEqual({ current: 2, all: [1, 2] })
    should(generations.get('b')).deepEqual({ current: 1, all: [1] })
    should(generations.get('c')).deepEqual({ current: 0, all: [5] })
    should(generations.get('d')).deepEqual({ current: 1, all: [1, 2] })
    generations.delete('a')
    should(generations.get('a')).be.undefined()
    should(generations.get('b')).be.ok()
    generations.clear()
    should(generations.get('b')).be.undefined()
  })
})

describe('an error of a store', () => {
  it('is temporary if the system reports it, unless the file is missing', () => {
    for (const code of ['EMFILE', 'EACCES', 'EIO', 'EOWNED']) should(isTemporary(systemError(code))).be.true()
    for (const code of ['ENOENT', 'EISDIR']) should(isTemporary(systemError(code))).be.false()
    const unlike = [new Error('torn'), 'EMFILE', undefined, { code: 'EMFILE', syscall: 'open' }]
    for (const error of unlike) should(isTemporary(error)).be.false()
    should(isTemporary(Object.assign(new Error('bad'), { code: 'ERR_BAD' }))).be.false()
    should(isTemporary(Object.assign(new Error('bad'), { syscall: 'open' }))).be.false()
  })

  it('has a reason of one word', () => {
    should([systemError('EIO'), new Error('Ola Nordmann'), 'text'].map(reasonOf)).deepEqual([
      'EIO',
      '@reasons.unknown',
      '@reasons.unknown',
    ])
  })
})
