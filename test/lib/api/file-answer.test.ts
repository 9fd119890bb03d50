/** How a response is recognized as the requested file, from its headers and its first bytes. */
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import should from 'should'
import { beginsAsFile, mayBeFile, streamsFile } from '../../../lib/api/call/file-answer'

const pades = { fileFormat: 'pades' }
const contentOf = async (stream: Readable) => Buffer.concat(await stream.toArray()).toString()

describe('an answer to the request for a file', () => {
  const types: [string | string[] | undefined, boolean][] = [
    ['application/pdf', true],
    ['text/plain', true],
    ['application/jsonlines', true],
    ['application/x-html', true],
    [undefined, true],
    ['text/html', false],
    [' Text/HTML ; charset=utf-8', false],
    ['application/xhtml+xml', false],
    ['application/json', false],
    ['application/problem+json;charset=utf-8', false],
    ['application/vnd.api.v1-x+problem+json', false],
    [['application/json', 'application/pdf'], true],
    [['text/html'], false],
  ]
  for (const [type, expected] of types) {
    it(`of type ${JSON.stringify(type)} ${expected ? 'may be the file' : 'is the page of someone else'}`, () =>
      void should(mayBeFile({ status: 200, headers: { 'content-type': type } })).equal(expected))
  }

  it('is the whole file only with 200', () => {
    const headers = { 'content-type': 'application/pdf' }
    should([200, 202, 206].map((status) => mayBeFile({ status, headers }))).deepEqual([true, false, false])
  })

  it('is any file as soon as there is a byte, and a signed PDF once its signature is there', () => {
    const bytes = (text: string, before = 0) => Buffer.from(' '.repeat(before) + text)
    should(beginsAsFile(bytes(''), undefined)).be.undefined()
    should(beginsAsFile(bytes('<'), { fileFormat: 'unsigned' })).be.true()
    should(beginsAsFile(bytes('%PD'), pades)).be.undefined()
    should(beginsAsFile(bytes('%PDF-1.7'), pades)).be.true()
    should(beginsAsFile(bytes('%PDF', 1020), pades)).be.true()
    should(beginsAsFile(bytes('%PDF', 1021), pades)).be.false()
    should(beginsAsFile(bytes('', 1023), pades)).be.undefined()
    should(beginsAsFile(bytes('', 1024), pades)).be.false()
  })
})

describe('a stream that should be the requested file', () => {
  it('is recognized without losing a byte, in however many pieces it comes', async () => {
    const stream = Readable.from(['%', 'PD', 'F-1.7 and ', 'the rest'].map((part) => Buffer.from(part)))
    should(await streamsFile(stream, pades)).be.true()
    for (const event of ['readable', 'end', 'close']) should(stream.listenerCount(event)).equal(0)
    should(await contentOf(stream)).equal('%PDF-1.7 and the rest')
  })

  it('is closed when it is something else, or ends before it could be told', async () => {
    for (const content of ['x'.repeat(2000), '%PD', '']) {
      const stream = Readable.from(content === '' ? [] : [Buffer.from(content)])
      should(await streamsFile(stream, pades)).be.false()
      if (!stream.closed) await once(stream, 'close')
      should(stream.destroyed).be.true()
    }
  })

  it('is closed as soon as it is known to be something else, though more would come', async () => {
    const stream = new PassThrough()
    stream.write('x'.repeat(2000))
    should(await streamsFile(stream, pades)).be.false()
    should(stream.destroyed).be.true()
  })

  it('that breaks off says so to its reader, also when it did before', async () => {
    const stream = new PassThrough()
    const told: unknown[] = []
    stream.on('error', (error) => told.push(error))
    const found = streamsFile(stream, pades)
    stream.write('%P')
    stream.destroy(new Error('gone'))
    should(await found).be.true()
    should(String(told[0])).match(/gone/)
    should(await streamsFile(stream, pades)).be.true()
  })
})
