/**
 * What strangers send to public addresses, and paths that lead to other places: all are refused with a status or an
 * error, and nothing enters the flow.
 */
import { createHmac } from 'node:crypto'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import should from 'should'
import { isBase64 } from '../../lib/settings/rules'
import embed from '../../nodes/embed/embed'
import shareUpload from '../../nodes/share-upload/share-upload'
import webhook from '../../nodes/webhook/webhook'
import { anyText } from '../support/any-text'
import { startFlow, removeFlow, type Flow } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { endOf, shouldBeClean, watchRejections } from '../support/hostile'

const origin = 'https://sign.example'
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const bodies = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    '{',
    '\0',
    nested(8000),
    `{"type":"t","payload":${nested(8000)}}`,
    `{"id":"1","type":"t","payload":${nested(8000)}}`,
    '{"__proto__":{"polluted":1}}',
  ),
  fc.constantFrom(
    '{"type":"sign_success","__proto__":{"polluted":1}}',
    '{"sessionId":"../..","status":"success"}',
    '{"id":{},"type":[]}',
  ),
  fc.json(),
  anyText(),
)

describe('doors that are open to strangers', () => {
  let site: PublicSide
  let service: Service
  let flow: Flow
  const rejections = watchRejections()

  before(async () => {
    site = await startPublicSide()
    service = await startService()
  })
  after(async () => {
    await site.close()
    await service.close()
  })
  afterEach(removeFlow)
  const shouldBeWell = () => {
    shouldBeClean()
    should(rejections.take()).deepEqual([])
  }
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(site.url + path, { method: 'POST', body, headers })
    await answer.arrayBuffer()
    return answer.status
  }

  it('let no webhook in without a signature, whatever its headers and its body are', async () => {
    flow = await startFlow({ type: 'eid-webhook', module: webhook, secrets: { secret: 's' }, modules: [site.module] })
    const signatures = fc.oneof(
      fc.constantFrom('', '0', 'undefined', 'a'.repeat(64), 'sha256=' + '0'.repeat(64), '0'.repeat(10_000)),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 64, maxLength: 64 }),
    )
    const types = fc.constantFrom(
      'application/json',
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'x',
    )
    await fc.assert(
      fc.asyncProperty(bodies, signatures, types, async (body, signature, type) => {
        should(await post('/eid/webhook', body, { 'X-EID-Signature': signature, 'Content-Type': type })).equal(401)
        should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
        shouldBeWell()
      }),
      { numRuns: 100 },
    )
  })

  it('take any signed body for an event or for none', async () => {
    flow = await startFlow({ type: 'eid-webhook', module: webhook, secrets: { secret: 's' }, modules: [site.module] })
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const signature = createHmac('sha256', 's').update(body).digest('hex')
        should([204, 400]).containEql(await post('/eid/webhook', body, { 'X-EID-Signature': signature }))
        shouldBeWell()
      }),
      { numRuns: 100 },
    )
  })

  it('take any report for a web message or for none, and no other origin’s', async () => {
    const client = { signatureOrigins: origin }
    flow = await startFlow({
      type: 'eid-embed',
      module: embed,
      modules: [site.module],
      outputs: 3,
      settings: { url: 'url' },
      client,
    })
    flow.send({ url: `${origin}/sign`, documentId: 'doc-1' })
    const page = String((await flow.next(2)).embedUrl)
    const origins = fc.oneof(
      fc.constantFrom(origin, `${origin}.evil.example`, `${origin}/`, 'null', ''),
      fc.jsonValue(),
    )
    // An accepted report may be sent only after its answer: at the first output, and also at the second if it is an
    // end.
    let taken = 0
    await fc.assert(
      fc.asyncProperty(bodies, origins, fc.boolean(), async (data, from, raw) => {
        const status = await post(`${page}/messages`, raw ? data : JSON.stringify({ origin: from, data }))
        should([204, 400, 403]).containEql(status)
        if (status === 204) {
          should(from).equal(origin)
          taken++
        }
        should(flow.waiting().out).be.belowOrEqual(2 * taken)
        shouldBeWell()
      }),
      { numRuns: 200 },
    )
  })

  it('refuse an origin that cannot be made a text', async () => {
    flow = await startFlow({
      type: 'eid-embed',
      module: embed,
      modules: [site.module],
      outputs: 3,
      settings: { url: 'url' },
      client: { signatureOrigins: origin },
    })
    flow.send({ url: `${origin}/sign`, documentId: 'doc-1' })
    const page = String((await flow.next(2)).embedUrl)
    const report = { origin: { toString: null }, data: '{"type":"app_started"}' }
    should(await post(`${page}/messages`, JSON.stringify(report))).equal(403)
    shouldBeWell()
  })

  it('serve nothing but pages, whatever the path is', async () => {
    flow = await startFlow({ type: 'eid-embed', module: embed, modules: [site.module], outputs: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom('..', '%2e%2e', '%00', '%ZZ', '__proto__', 'messages'), fc.webSegment())),
        async (parts) => {
          const answer = await fetch(`${site.url}/eid/page/${parts.join('/')}`)
          await answer.arrayBuffer()
          should([400, 404, 410]).containEql(answer.status)
          shouldBeWell()
        },
      ),
      { numRuns: 100 },
    )
  })

  it('upload no file from outside of the base folder, however the path is put', async () => {
    const folder = temporaryFolder()
    const base = join(folder.path, 'base')
    mkdirSync(join(base, 'inner'), { recursive: true })
    writeFileSync(join(folder.path, 'outside.txt'), 'a secret that is outside')
    writeFileSync(join(base, 'good.txt'), 'may go')
    symlinkSync(join(folder.path, 'outside.txt'), join(base, 'link.txt'))
    symlinkSync(folder.path, join(base, 'inner', 'up'))
    const settings = { baseFolder: base, file: 'file', fileType: 'msg', fileName: 'fileName', fileNameType: 'msg' }
    flow = await startFlow({
      type: 'eid-share-upload',
      module: shareUpload,
      settings,
      client: { baseUrl: service.url },
    })
    const part = fc.constantFrom(
      '..',
      '.',
      'inner',
      'up',
      'link.txt',
      'outside.txt',
      'good.txt',
      'base',
      '',
      '\0',
      '%2e%2e',
      '..\\..',
      'C:',
      '\ud800',
      '~',
      'x'.repeat(300),
    )
    const paths = fc
      .tuple(
        fc.constantFrom('', '/', './', '../', `${folder.path}/`, `${base}/`, '\\\\', 'file://'),
        fc.array(part, { minLength: 1, maxLength: 6 }),
      )
      .map(([start, parts]) => start + parts.join('/'))
    const outside = join(folder.path, 'outside.txt')
    const real = fc.constantFrom(
      outside,
      '../outside.txt',
      'link.txt',
      'inner/up/outside.txt',
      `${base}/../outside.txt`,
      'good.txt',
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(real, paths, anyText()), async (file) => {
        await service.reset()
        await endOf(flow, { file, shareId: 'share-1', contentId: 'content-1' })
        const uploads = (await service.requests()).filter(({ path }) => path.includes('share-1'))
        if (uploads.length > 0 && !isBase64(file))
          should(realpathSync(resolve(base, file))).startWith(realpathSync(base) + sep)
        shouldBeWell()
      }),
      { numRuns: 100 },
    )
    folder.remove()
  })
})
