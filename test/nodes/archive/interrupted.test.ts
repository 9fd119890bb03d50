/**
 * An archive whose writing was interrupted, or whose files were changed: nothing is lost, and no incomplete document
 * counts as archived.
 */
import should from 'should'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import node from '../../../nodes/document/document'
import { appendEntry } from '../../../nodes/archive/archive-index'
import { readBack } from '../../../nodes/archive/check-archive'
import { finishInterrupted } from '../../../nodes/archive/finish'
import { openStaging } from '../../../nodes/archive/staging'
import { startFlow, stopFlow } from '../../support/flow'
import { signedDocument } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { saying } from '../../support/wording'

const never = new AbortController().signal
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

describe('an interrupted archive', () => {
  let service: Service
  let folder: string
  let remove: () => void
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => void ({ path: folder, remove } = temporaryFolder()))
  afterEach(async () => {
    await stopFlow()
    remove()
  })

  const signed = (key: string) => signedDocument(service, key)
  const start = (settings: object = {}) =>
    startFlow({
      type: 'eid-document',
      module: node,
      client: { baseUrl: service.url, retries: 0 },
      settings: { operation: 'archive', archiveFolder: folder, archiveAs: 'Lease', ...settings },
    })
  const staged = (id: string, index = 'index') => join(folder, `.unfinished-${index}-${sha(id).slice(0, 32)}`)
  const lineOf = (documentId: string, text: string, index = 'index.jsonl') =>
    appendEntry(folder, index, {
      time: '2031-01-01T00:00:00.000Z',
      documentId,
      title: 'Lease',
      signers: [],
      files: [{ name: 'Lease/signed.xml', size: text.length, sha256: sha(text) }],
    })
  /** What a process leaves if it is killed right after it has written the line. */
  const killed = async (id: string, index = 'index') => {
    mkdirSync(staged(id, index))
    writeFileSync(join(staged(id, index), 'signed.xml'), `the file of ${id}`)
    await lineOf(id, `the file of ${id}`, `${index}.jsonl`)
  }
  const placed = async (id: string, index: string) => {
    mkdirSync(join(folder, 'Lease'))
    writeFileSync(join(folder, 'Lease', 'signed.xml'), `the file of ${id}`)
    const line = await lineOf(id, `the file of ${id}`, index)
    await line.seal()
  }

  it('keeps the files of a document whose folder another Node-RED has taken meanwhile', async () => {
    const id = await signed('taken')
    await killed(id)
    await placed('d-2', 'index-b.jsonl')
    const flow = await start()
    flow.send({ documentId: id })
    const { payload, existing } = await flow.next()
    should(existing).be.true()
    should(payload).have.property('folder', join(folder, 'Lease (2)'))
    should(readFileSync(join(folder, 'Lease (2)', 'signed.xml'), 'utf8')).equal(`the file of ${id}`)
    should(readFileSync(join(folder, 'Lease', 'signed.xml'), 'utf8')).equal('the file of d-2')
    const whole = { documents: 2, whole: 2, missing: [], changed: [], added: [], chain: 'whole' }
    should(await readBack(folder, never)).deepEqual(whole)
    // No line is ever removed, because the next failure might then lose the document.
    const lines = readFileSync(join(folder, 'index.jsonl'), 'utf8').trim().split('\n')
    should(lines.map((line) => (JSON.parse(line) as { documentId: string }).documentId)).deepEqual([id, id])
  })

  it('puts the number of a folder that is taken at the end, also after a dot in the title', async () => {
    const flow = await start({ archiveAs: 'Lease no. 12' })
    for (const key of ['dot-1', 'dot-2', 'dot-3']) flow.send({ documentId: await signed(key) })
    for (let count = 0; count < 3; count++) await flow.next()
    const found = readdirSync(folder).filter((name) => name.startsWith('Lease'))
    should(found.sort()).deepEqual(['Lease no. 12', 'Lease no. 12 (2)', 'Lease no. 12 (3)'])
  })

  it('keeps the files of a line that could not be taken away again', async () => {
    const place = { folder, real: folder, index: 'index.jsonl' }
    const staging = await openStaging(place, 'd-1', never)
    writeFileSync(join(staging.path, 'signed.xml'), 'the file of d-1')
    await lineOf('d-1', 'the file of d-1')
    await staging.end()
    await finishInterrupted(place, never)
    should(readdirSync(folder).sort()).deepEqual(['.index.last', 'Lease', 'index.jsonl'])
    should(await readBack(folder, never)).have.properties({ documents: 1, whole: 1, chain: 'whole' })
  })

  it('does not call a document archived before when its files are changed', async () => {
    const id = await signed('changed')
    const flow = await start()
    flow.send({ documentId: id })
    await flow.next()
    writeFileSync(join(folder, 'Lease', 'original.txt'), '')
    flow.send({ documentId: id })
    const { error } = await flow.caught()
    should(error).have.property('code', 'EID_INVALID_INPUT')
    should(error.message).match(saying('document', 'problems.archiveChanged', { file: 'Lease/original.txt' }))
  })

  it('ends with an error in a folder that can never be made', async function () {
    if (!existsSync('/proc/1')) return this.skip()
    const flow = await start({ archiveFolder: '/proc/1/archive' })
    flow.send({ documentId: await signed('proc') })
    should((await flow.caught()).error.message).match(/cannot be written/)
  })
})
