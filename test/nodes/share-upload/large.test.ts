/**
 * A file of six times the allowed memory is uploaded from a path and from a stream, and arrives unchanged. The
 * benchmark sends 1 GiB.
 *
 * @rest
 */
import should from 'should'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import createNode from '../../../nodes/share-create/share-create'
import { programOf } from '../../support/program'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

/** An upload of 1 GiB takes 8 to 21 MiB of memory, on a busy machine 55 MiB. */
const allowed = 64 * 1024 ** 2
const size = 6 * allowed

interface Figures {
  bytes: number
  sha256: string
  growth: number
  error?: object
}

describe('share upload of a large file', () => {
  let service: Service
  let folder: string
  let file: string
  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-large-'))
    file = join(folder, 'large.bin')
    writeFileSync(file, 'the beginning of a large file')
    truncateSync(file, size)
  })
  after(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })
  afterEach(stopFlow)

  for (const how of ['path', 'stream']) {
    it(`from a ${how}`, async () => {
      const shareId = await register(service)
      const program = await programOf(join(__dirname, '../../support/files/large-upload.ts'))
      // Measuring coverage would take memory too.
      const { NODE_V8_COVERAGE: _coverage, ...env } = process.env
      const args = ['--expose-gc', program, service.url, how, file, shareId]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env })
      const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figures
      should(figures.error).be.undefined()
      should(figures.bytes).equal(size)
      should(figures.growth).be.below(allowed)
      const arrived = (await service.requests('uploadToBucket')).at(-1)?.body
      should(arrived).have.properties({ size, sha256: figures.sha256 })
    })
  }
})

async function register(service: Service): Promise<string> {
  const flow = await startFlow({ type: 'eid-share-create', module: createNode, client: { baseUrl: service.url } })
  const payload = {
    information: { title: 'Large', description: 'A large file' },
    content: [{ id: 'big', name: 'Large', type: 'file' }],
    recipients: [
      {
        firstName: 'Ola',
        lastName: 'Nordmann',
        email: 'ola.nordmann@example.com',
        expires: new Date(Date.now() + 86_400_000).toISOString(),
        mobile: { countryCode: '47', number: '99999999' },
        uploads: ['big'],
        authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
      },
    ],
  }
  flow.send({ payload })
  const { shareId } = await flow.next()
  await stopFlow()
  return String(shareId)
}
