/**
 * Word files that are meant to exhaust their reader: each ends with fields or with a problem, other work runs
 * meanwhile, and the next file is read.
 */
import childProcess, { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import should from 'should'
import { unzipSync } from 'fflate'
import { fieldsOfWord, fillWord } from '../../../lib/runtime/files/word-file'
import { createWordProcess } from '../../../lib/runtime/files/word-process'
import { statingAt, twoInOne, withBody, withParts } from '../../support/files/hostile-word'
import { wordDocument } from '../../support/files/word-document'
import { until } from '../../support/time'
import { turnsDuring } from '../../support/turns'

const good = wordDocument(['Dear {Name}'])
const name = [{ name: 'Name' }]
const bomb = withBody('<w:p/>'.repeat(4_000_000))
const each = (count: number, markup: (number: number) => string) =>
  Array.from({ length: count }, (_none, number) => markup(number)).join('')
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const loops = 10_000
const nested = each(loops, (at) => paragraph(`{#a${at}}`)) + each(loops, (at) => paragraph(`{/a${loops - 1 - at}}`))
/** Takes minutes and gigabytes within the limits on what is unpacked. */
const endless = withBody(paragraph('{a}'.repeat(5_000_000)))

describe('a hostile Word file', () => {
  const files: readonly [string, Buffer, object][] = [
    ['that holds a second, huge file for readers of zip64', twoInOne(good, bomb), name],
    ['whose second file is the harmless one', twoInOne(bomb, good), { key: 'wordTooLarge' }],
    ['that states too small a size', statingAt(bomb, 24, 10), { key: 'wordTooLarge' }],
    ['that states too large a size', statingAt(good, 24, 0xffffffff), name],
    ['that leaves its packed size to zip64', statingAt(good, 20, 0xffffffff), name],
    ['whose parts are on other disks', statingAt(good, 34, 0xffff), name],
    ['whose parts begin beyond its end', statingAt(good, 42, 0xffffffff), { key: 'wordFile' }],
    [
      'of many parts',
      withParts(Object.fromEntries([...'x'.repeat(20_000)].map((_x, at) => [`word/${at}.xml`, good]))),
      { key: 'wordTooLarge' },
    ],
    ['nested too deep', withBody('<w:x>'.repeat(140_000) + '</w:x>'.repeat(140_000)), { key: 'wordFile' }],
    [
      'of loops in loops',
      withBody(nested),
      { key: 'wordApart', params: { tags: '{#a0}, {#a1}, {#a2}, {#a3}, {#a4}' } },
    ],
    ['of one huge text in quotation marks', withBody(paragraph('&quot;'.repeat(1_000_000))), name],
  ]
  for (const [what, file, expected] of files) {
    it(`${what} is read or refused, and so is the next one`, async () => {
      should(await fieldsOfWord(file)).deepEqual(expected)
      should(await fieldsOfWord(good)).deepEqual(name)
    })
  }

  it('that takes long is read while other work runs', async () => {
    const file = withBody(paragraph('&quot;'.repeat(1_000_001)))
    should(await turnsDuring(() => fieldsOfWord(file))).be.above(20)
  })

  it('is filled in as it was read, whatever else it holds', async () => {
    const filled = await fillWord(twoInOne(good, bomb), name, { Name: 'Ola' }, new Set())
    const parts = unzipSync('bytes' in filled ? filled.bytes : Buffer.alloc(0))
    const text = Buffer.from(parts['word/document.xml'] ?? '').toString()
    should(text).not.containEql('<w:p/>')
    should(text.replace(/<[^>]+>/g, '')).equal('Dear Ola')
  })

  it('that takes too long is given up, and the next file is read', async () => {
    const worker = createWordProcess({ maxMs: 5000, maxMegabytes: 768 })
    let found: unknown
    const turns = await turnsDuring(async () => void (found = await worker.fields(endless)))
    should(found).deepEqual({ key: 'wordHeavy' })
    should(turns).be.above(20)
    // On a busy machine, a new process may take longer than the limit of this test to start.
    await until(async () => (await worker.text(good)) === 'Dear {Name}')
  })

  it('that takes too much memory is given up, and the files behind it are read', async () => {
    const worker = createWordProcess({ maxMs: 110_000, maxMegabytes: 48 })
    should(await Promise.all([worker.fields(endless), worker.text(good)])).deepEqual([
      { key: 'wordHeavy' },
      'Dear {Name}',
    ])
  })

  it('whose values make it huge is given up', async () => {
    const worker = createWordProcess({ maxMs: 110_000, maxMegabytes: 48 })
    const list = Array.from({ length: 300_000 }, () => ({ Name: 'Ola' }))
    const repeated = wordDocument(['{#list}{Name}{/list}'])
    should(await worker.fill(repeated, { list })).deepEqual({ key: 'wordHeavy' })
  })

  it('is read after the process that reads such files was ended from outside', async () => {
    const { fork } = childProcess
    const children: ChildProcess[] = []
    childProcess.fork = ((...given: Parameters<typeof fork>) => {
      children.push(fork(...given))
      return children.at(-1)
    }) as typeof fork
    try {
      const worker = createWordProcess()
      should(await worker.fields(good)).deepEqual(name)
      const [child] = children
      child?.kill('SIGKILL')
      if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit')
      should(await worker.fields(good)).deepEqual(name)
      should(children).have.length(2)
    } finally {
      childProcess.fork = fork
    }
  })
})
