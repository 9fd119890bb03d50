/** "archive": all files or none, one line for each document, and later changes are found. */
import should from 'should'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import node from '../../nodes/archive/archive'
import type { ArchiveReport } from '../../nodes/archive/read-back'
import { statements } from '../../lib/store/drivers/sqlite/statements'
import { startFlow, stopFlow, type Flow } from '../support/flow'
import { act, startParties, type CreatedDocument } from '../support/parties'
import { startService, type Service } from '../support/service'
import { reportOf } from '../support/files/archive-folder'
import { saying, sentence } from '../support/wording'

describe('an archive', () => {
  let service: Service
  let folder: string
  const start = (settings: object) =>
    startFlow({ type: 'eid-archive', module: node, settings, client: { baseUrl: service.url, retries: 0 } })
  const archiving = (settings: object = {}) => start({ archiveFolder: folder, ...settings })
  const check = async () => (await reportOf(folder)) as ArchiveReport
  const indexOf = () => readdirSync(folder).find((name) => /^index-[\da-f-]{36}\.jsonl$/.test(name)) ?? ''
  const lines = (name = indexOf()) =>
    readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1) as readonly string[]
  const rewrite = (all: readonly string[]) =>
    writeFileSync(join(folder, indexOf()), all.map((line) => `${line}\n`).join(''))

  const signed = async (key: string, dataToSign?: object) => {
    const parties = await startParties(service)
    const created = dataToSign
      ? parties.call<CreatedDocument>('POST', '/signature/documents', {
          title: `Contract ${key}`,
          externalId: key,
          dataToSign,
          contactDetails: { email: 'kari.nordmann@example.com' },
          signers: [
            {
              externalSignerId: 'signer-1',
              redirectSettings: { redirectMode: 'donot_redirect' },
              signatureType: { mechanism: 'pkisignature' },
            },
          ],
        })
      : parties.createDocument(key)
    const { documentId, signers } = await created
    for (const { url } of signers) await act(url)
    await service.sandbox.clock.advance(5000)
    return documentId
  }
  const keep = async (flow: Flow, documentId: string, more: object = {}) => {
    flow.send({ documentId, ...more })
    return flow.next()
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'eid-archive-')), 'kept')
  })
  afterEach(async () => {
    await stopFlow()
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })

  it('holds the signed file, the original, the record and the log of notices, and a line with their hashes', async () => {
    // The folder has the day on which the document was signed.
    await service.sandbox.clock.advance(3 * 86_400_000)
    const documentId = await signed('lease-1')
    const flow = await archiving()
    const msg = await keep(flow, documentId, { kept: 1 })
    const record = JSON.parse(
      readFileSync(join(folder, readdirSync(folder).find((one) => /Contract/.test(one)) ?? '', 'record.json'), 'utf8'),
    ) as { signers: { documentSignature: { signedTime: string } }[] }
    const day = new Date(record.signers[0]?.documentSignature.signedTime ?? '')
    const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join('-')
    const below = `${date} Contract lease-1`
    should(msg).have.properties({ documentId, existing: false, kept: 1 })
    should(msg.payload).have.properties({ folder: join(folder, below), existing: false })
    should(Object.keys(msg.payload as object).sort()).deepEqual(['existing', 'files', 'folder'])
    should(readdirSync(join(folder, below)).sort()).deepEqual([
      'notifications.json',
      'original.txt',
      'record.json',
      'signed.xml',
    ])
    const [line] = lines()
    const entry = JSON.parse(line ?? '') as { files: { name: string; size: number; sha256: string }[] }
    should(entry).have.properties({ documentId, externalId: 'lease-1', title: 'Contract lease-1', previous: '' })
    for (const { name, size, sha256 } of entry.files) {
      const bytes = readFileSync(join(folder, name))
      should([bytes.length, createHash('sha256').update(bytes).digest('hex')]).deepEqual([size, sha256])
    }
    should(readFileSync(join(folder, below, 'original.txt'), 'utf8')).equal('agreed')
    should(flow.statuses.at(-1)).have.property('text', 'archived')
  })

  it('holds who approved what, and finds a change of it', async () => {
    const documentId = await signed('lease-approved')
    const approval = { what: 'Sign the lease', details: [], digest: 'ab', by: [{ name: 'Kari Nordmann' }] }
    const { payload } = await keep(await archiving({ archiveAs: '{title}' }), documentId, { approval })
    const name = 'Contract lease-approved/approval.json'
    should((payload as { files: { name: string }[] }).files.map((file) => file.name)).containEql(name)
    should(JSON.parse(readFileSync(join(folder, name), 'utf8'))).deepEqual(approval)
    appendFileSync(join(folder, name), ' ')
    should(await check()).have.property('changed', [name])
  })

  it('changes nothing when the same document comes again, also when two messages come at once', async () => {
    const documentId = await signed('lease-2')
    const flow = await archiving()
    for (let n = 0; n < 3; n++) flow.send({ documentId })
    const ends = [await flow.next(), await flow.next(), await flow.next()]
    should(ends.map(({ existing }) => existing).sort()).deepEqual([false, true, true])
    should(lines()).have.length(1)
    should(await check()).deepEqual({ documents: 1, whole: 1, missing: [], changed: [], added: [], chain: 'whole' })
  })

  it('gives each document a folder of its own, and each line the hash of the one before', async () => {
    const ids = [await signed('lease-3'), await signed('lease-4'), await signed('lease-5')]
    const flow = await archiving({ archiveAs: '{year}/Lease: {who}' })
    for (const documentId of ids) flow.send({ documentId, payload: { year: 2031, who: '../Ola' } })
    for (const _ of ids) await flow.next()
    should(readdirSync(join(folder, '2031')).sort()).deepEqual(['Lease_ _Ola', 'Lease_ _Ola (2)', 'Lease_ _Ola (3)'])
    const hashes = lines().map((line) => createHash('sha256').update(line).digest('hex'))
    const previous = lines().map((line) => (JSON.parse(line) as { previous: string }).previous)
    should(previous).deepEqual(['', ...hashes.slice(0, 2)])
    should(await check()).have.properties({ documents: 3, whole: 3, chain: 'whole' })
  })

  it('refuses a document that is not signed, a field that is missing, and a folder that cannot be written', async () => {
    const parties = await startParties(service)
    const { documentId } = await parties.createDocument('unsigned')
    let flow = await archiving()
    flow.send({ documentId })
    let { error } = await flow.caught()
    should(error.message).startWith(
      sentence('archive', 'problems.notSigned', { path: 'Document id', state: 'unsigned' }),
    )
    should(error).have.property('code', 'EID_INVALID_INPUT')
    await stopFlow()
    const done = await signed('lease-6')
    flow = await archiving({ archiveAs: 'Lease of {Tenant}' })
    flow.send({ documentId: done })
    ;({ error } = await flow.caught())
    const problem = sentence('client', 'problems.fieldMissing', { path: 'Folder per document', field: 'Tenant' })
    should(error.message).startWith(sentence('archive', 'problems.notArchived', { problem, id: done }))
    await stopFlow()
    writeFileSync(folder, 'a file')
    flow = await archiving()
    flow.send({ documentId: done })
    ;({ error } = await flow.caught())
    should(error.message).containEql(`: ${sentence('client', 'files.ENOTDIR')}`)
  })

  it('refuses to write through a link in its folder, where the files would count as changed', async () => {
    const documentId = await signed('lease-through-a-link')
    const elsewhere = join(folder, '..', 'elsewhere')
    for (const path of [folder, elsewhere]) mkdirSync(path)
    symlinkSync(elsewhere, join(folder, 'Customer'), 'junction')
    const flow = await archiving({ archiveAs: 'Customer/Lease' })
    flow.send({ documentId })
    const { error } = await flow.caught()
    should(error.message).containEql(`: ${sentence('client', 'files.LINK')}`)
    should(error.cause).have.property('outcome', 'not-done')
    should(readdirSync(elsewhere)).deepEqual([])
    await stopFlow()
    should(await keep(await archiving({ archiveAs: 'Lease' }), documentId)).have.property('existing', false)
    should(await check()).containDeep({ documents: 1, whole: 1, changed: [], added: ['Customer'] })
  })

  it('compares the checksum of the event that the files are ready', async () => {
    const pdf = Buffer.from('%PDF-1.4 agreed').toString('base64')
    const documentId = await signed('lease-7', { fileName: 'contract.pdf', base64Content: pdf })
    const event = (checksum: string) => ({ payload: { type: 'document_packaged', payload: { documentId, checksum } } })
    const flow = await archiving()
    flow.send({ documentId, ...event('ab'.repeat(32)) })
    const { error } = await flow.caught()
    should(error).have.property('code', 'EID_SERVICE')
    should(error.cause).have.property('outcome', 'not-done')
    should(error.message).equal(sentence('archive', 'errors.otherChecksum', { id: documentId }))
    should(readdirSync(folder)).be.empty()
    const parties = await startParties(service)
    const queued = await parties.call<{ type: string; payload: { documentId: string; checksum: string } }[]>(
      'GET',
      '/notification/events',
    )
    const checksum =
      queued.find(({ type, payload }) => type === 'document_packaged' && payload.documentId === documentId)?.payload
        .checksum ?? ''
    const { payload } = await keep(flow, documentId, event(checksum))
    should((payload as { files: { name: string }[] }).files[0]?.name).endWith('/signed.pdf')
  })

  it('finds a changed byte, a file that is gone, one that was added, and a line that was taken out', async () => {
    const ids = [await signed('lease-8'), await signed('lease-9'), await signed('lease-10')]
    const flow = await archiving({ archiveAs: '{title}' })
    for (const documentId of ids) await keep(flow, documentId)
    appendFileSync(join(folder, 'Contract lease-8', 'record.json'), ' ')
    rmSync(join(folder, 'Contract lease-9', 'signed.xml'))
    writeFileSync(join(folder, 'Contract lease-9', 'by hand.pdf'), 'x')
    should(await check()).deepEqual({
      documents: 3,
      whole: 1,
      missing: ['Contract lease-9/signed.xml'],
      changed: ['Contract lease-8/record.json'],
      added: ['Contract lease-9/by hand.pdf'],
      chain: 'whole',
    })
    const all = lines()
    rewrite(all.filter((_line, at) => at !== 1))
    should((await check()).chain).deepEqual({ brokenAt: 2 })
    should((await check()).added).containEql('Contract lease-9/original.txt')
    rewrite(all.slice(1))
    should((await check()).chain).deepEqual({ brokenAt: 1 })
    rewrite(all.map((line, at) => (at === 0 ? line.replace('lease-8', 'lease-x') : line)))
    should((await check()).chain).deepEqual({ brokenAt: 2 })
    rewrite(['not JSON', ...all.slice(1)])
    should((await check()).chain).deepEqual({ brokenAt: 1 })
  })

  it('reports differences on the message and in yellow, and a folder without an archive', async () => {
    const documentId = await signed('lease-11')
    let flow = await archiving({ archiveAs: '{title}' })
    await keep(flow, documentId)
    await stopFlow()
    flow = await start({ operation: 'check', archiveFolder: folder })
    flow.send({})
    should((await flow.next()).payload).have.properties({ documents: 1, whole: 1, chain: 'whole' })
    should(flow.statuses.at(-1)).have.properties({ fill: 'grey', text: '1 document, unchanged' })
    appendFileSync(join(folder, 'Contract lease-11', 'original.txt'), '!')
    flow.send({})
    should((await flow.next()).payload).have.property('changed', ['Contract lease-11/original.txt'])
    should(flow.statuses.at(-1)).have.property('fill', 'yellow')
    await stopFlow()
    flow = await start({ operation: 'check', archiveFolder: join(folder, 'Contract lease-11') })
    flow.send({})
    should((await flow.caught()).error.message).startWith(
      sentence('archive', 'problems.noArchive', { path: 'Archive folder' }),
    )
    // If the files are gone, the document must not count as archived.
    rmSync(join(folder, 'Contract lease-11'), { recursive: true })
    await stopFlow()
    flow = await archiving({ archiveAs: '{title}' })
    flow.send({ documentId })
    should((await flow.caught()).error.message).match(saying('archive', 'problems.archiveMissing', { id: documentId }))
  })

  it('is as it was when the index cannot be written, and takes the document when it can', async () => {
    const one = await signed('lease-12')
    const two = await signed('lease-13')
    const flow = await archiving({ archiveAs: '{title}' })
    await keep(flow, one)
    const index = indexOf()
    renameSync(join(folder, index), join(folder, 'index'))
    for (const [make, reason] of [
      [() => symlinkSync('/dev/full', join(folder, index)), /belongs to a device/],
      [() => mkdirSync(join(folder, index)), saying('client', 'files.EISDIR')],
    ] as const) {
      make()
      flow.send({ documentId: two })
      const { error } = await flow.caught()
      should(error).have.property('code', 'EID_INVALID_INPUT')
      should(error.message).match(reason)
      rmSync(join(folder, index), { recursive: true })
    }
    renameSync(join(folder, 'index'), join(folder, index))
    should(readdirSync(folder).sort()).deepEqual(['Contract lease-12', index])
    should((await keep(flow, two)).existing).be.false()
    should(await check()).have.properties({ documents: 2, whole: 2, added: [], chain: 'whole' })
  })

  it('continues after a line that a crash has cut off, and names a folder that a crash has left unnamed', async () => {
    const one = await signed('lease-14')
    const two = await signed('lease-15')
    const flow = await archiving({ archiveAs: '{title}' })
    await keep(flow, one)
    appendFileSync(join(folder, indexOf()), '{"time":"2031-01-01')
    should((await keep(flow, two)).existing).be.false()
    should(await check()).have.properties({ documents: 2, whole: 2, chain: 'whole' })
    const staged = createHash('sha256').update(two).digest('hex').slice(0, 32)
    renameSync(
      join(folder, 'Contract lease-15'),
      join(folder, `.unfinished-${indexOf().replace('.jsonl', '')}-${staged}`),
    )
    should((await keep(flow, two)).existing).be.true()
    should(await check()).have.properties({ documents: 2, whole: 2, added: [], chain: 'whole' })
  })

  it('finds a document in an index of before, reads it in the check, and never writes it', async () => {
    const one = await signed('lease-16')
    const two = await signed('lease-17')
    let flow = await archiving({ archiveAs: '{title}' })
    await keep(flow, one)
    // Before, lines had no seal, and two hidden files were beside the index.
    const { seal: _seal, ...entry } = JSON.parse(lines()[0] ?? '') as Record<string, unknown>
    await stopFlow()
    const before = `${folder}-before`
    cpSync(folder, before, { recursive: true })
    rmSync(join(before, indexOf()))
    const line = `${JSON.stringify(entry)}\n`
    writeFileSync(join(before, 'index.jsonl'), line)
    for (const name of ['.index.last', '.index.owner']) writeFileSync(join(before, name), '{}\n')
    folder = before
    flow = await archiving({ archiveAs: '{title}' })
    should((await keep(flow, one)).existing).be.true()
    should((await keep(flow, two)).existing).be.false()
    should(readFileSync(join(folder, 'index.jsonl'), 'utf8')).equal(line)
    should(lines()).have.length(1)
    should(await check()).have.properties({ documents: 2, whole: 2, chain: 'whole', added: [] })
    await stopFlow()
    flow = await start({ operation: 'check', archiveFolder: folder })
    flow.send({})
    should((await flow.next()).payload).have.properties({ documents: 2, whole: 2 })
    should(flow.warnings).deepEqual([sentence('archive', 'warnings.otherIndexOne', { index: 'index.jsonl', count: 1 })])
    flow.send({})
    await flow.next()
    should(flow.warnings).have.length(1)
    appendFileSync(join(folder, 'index.jsonl'), `${line}`)
    flow.send({})
    should((await flow.next()).payload).have.property('chain', { brokenAt: 2, index: 'index.jsonl' })
  })

  it('archives nothing that it cannot remember', async () => {
    const one = await signed('lease-18')
    const two = await signed('lease-19')
    const flow = await archiving({ archiveAs: '{title}' })
    await keep(flow, one)
    const { put } = statements
    Object.assign(statements, { put: 'insert into nothing default values' })
    try {
      flow.send({ documentId: two })
      should((await flow.caught()).error).match({ code: 'EID_CONFIG', cause: { outcome: 'not-done' } })
    } finally {
      Object.assign(statements, { put })
    }
    should(readdirSync(folder).sort()).deepEqual(['Contract lease-18', indexOf()])
    should(lines()).have.length(1)
    should((await keep(flow, two)).existing).be.false()
    should(await check()).have.properties({ documents: 2, whole: 2, added: [], chain: 'whole' })
  })
})
