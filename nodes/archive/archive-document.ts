/**
 * "archive": stores a signed document in its own folder, with the original, the record and the log of notifications,
 * and adds it to the index of the archive. `checkArchive` reads everything back (check-archive.ts).
 */
import { dirname, join, posix } from 'node:path'
import { Readable } from 'node:stream'
import { EidError, inputError, nodeError } from '../../lib/api/errors/errors'
import { causeOf } from '../../lib/api/call/answer-error'
import { createKeyedQueue } from '../../lib/common/keyed-queue'
import { isPlainObject } from '../../lib/common/plain-object'
import { absolutePath, isForeignPath } from '../../lib/runtime/files/files'
import { installationId } from '../../lib/runtime/files/installation'
import { realPathOf } from '../../lib/runtime/files/real-path'
import { safeName } from '../../lib/runtime/files/safe-name'
import { createFile } from '../../lib/runtime/files/save-file'
import { instanceName, replicaName } from '../../lib/runtime/monitor/replicas'
import type { Patch } from '../../lib/runtime/node/message-call'
import { hasSigned } from '../../lib/runtime/service/signers'
import { builtInOf } from '../../lib/runtime/values/template'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import type { DocumentCall } from '../document/document-call'
import { fileErrors, reasonOf } from '../document/file-errors'
import { waitUntilReady } from '../document/wait-until-ready'
import { stateParam } from '../document/state-words'
import { isIndex } from './archive-index'
import type { ArchivedFile } from './index-lines'
import { ArchiveFault, findKept, finishCrashed, keepFiles, type Kept, type Place } from './keep'

/** Runs one operation per document at a time, so that a document is archived once even if its message comes twice. */
const documents = createKeyedQueue()

/** Archives the message's document; if the document already has a line in the index, nothing is changed. */
export async function archive(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '' } = call.values
  const place = await placeOf(call)
  return documents.run(
    JSON.stringify([place.real, id]),
    async () => {
      const before = await finishCrashed(place, call.signal)
        .then(() => findKept(place, id, call.signal))
        .catch(failedFor(call, place, id))
      const { entry, existing, unsealed } = before ?? (await add(call, place, id))
      if (unsealed === undefined) call.setStatus(existing ? 'archivedBefore' : 'archived')
      else warnUnsealed(call, id, unsealed)
      const folder = join(place.folder, dirname(entry.files[0]?.name ?? ''))
      const payload = { documentId: id, title: entry.title, time: entry.time, folder, files: entry.files, existing }
      return { payload, existing, documentId: id }
    },
    call.signal,
  )
}

/**
 * Warns that the document's line is written but not sealed. Until another line follows, nothing proves that this line
 * is the last one.
 */
function warnUnsealed(call: DocumentCall, id: string, fault: unknown): void {
  call.warn('unsealed', { id, reason: reasonOf(fault) })
  call.setDoubtful('unsealed')
}

/**
 * Returns the archive's folder for this message, and the Node-RED that writes to the folder. With a shared store, each
 * Node-RED has its own index.
 */
export async function placeOf(call: DocumentCall): Promise<Place> {
  const { archiveFolder = '' } = call.values
  call.check(isForeignPath(archiveFolder) ? [{ path: 'archiveFolder', key: 'foreignTarget' }] : [])
  const folder = absolutePath(archiveFolder, call.workingDirectory)
  const { port } = call
  const id = `${await installationId(call.userFolder)} ${port}`
  const replica = replicaName(port)
  const names =
    replica === undefined ? (['index', `index-${instanceName(port)}`] as const) : ([`index-${replica}`] as const)
  return { folder, real: await realPathOf(folder), writer: { id, names } }
}

async function add(call: DocumentCall, place: Place, id: string): Promise<Kept> {
  const { data: record } = await call.api.send('getDocument', { id })
  const state = textAt(record, 'status.documentStatus') || textAt(record, 'documentStatus')
  call.check(
    state === 'signed' ? [] : [{ path: 'documentId', key: 'notSigned', params: { state: stateParam(state) || '–' } }],
  )
  const title = textAt(record, 'title') || id
  const wanted = folderName(call, record, title)
  const format = await formatOf(call)
  const log = await call.api.send('listNotifications', { id })
  const collect = async (folder: string) => {
    const files = [
      await fetchInto(call, folder, format, 'signed'),
      await fetchInto(call, folder, 'unsigned', 'original', textAt(record, 'dataToSign.fileName')),
      await writeJson(call, folder, 'record.json', record),
      await writeJson(call, folder, 'notifications.json', log.data),
    ]
    compareChecksum(call, id, format, files[0])
    const entry = {
      time: new Date().toISOString(),
      documentId: id,
      ...(textAt(record, 'externalId') && { externalId: textAt(record, 'externalId') }),
      title,
      signers: listAt(record, 'signers').filter(hasSigned).map(nameOf).filter(Boolean),
      files,
    }
    return { wanted, entry }
  }
  return keepFiles(place, id, collect, call.signal).catch(failedFor(call, place, id))
}

/** Returns an error handler that always rejects. The new error explains the failure in a sentence for people. */
function failedFor(call: DocumentCall, place: Place, id: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof ArchiveFault)) return fileErrors(call, 'archiveFolder', place.folder)(error)
    const key = error.state === 'missing' ? 'archiveMissing' : 'archiveChanged'
    throw inputError([{ path: 'archiveFolder', key, params: { id, file: error.file } }])
  }
}

function nameOf(signer: unknown): string {
  const info = getPath(signer, 'signerInfo') ?? signer
  return [textAt(info, 'firstName'), textAt(info, 'lastName')].filter(Boolean).join(' ')
}

/** Returns the path below the archive's folder; each part of it is a name that every system accepts. */
function folderName(call: DocumentCall, record: unknown, title: string): string {
  const builtIn = { ...builtInOf({ title, signers: { list: listAt(record, 'signers') } }), title }
  const text = call.laterText('archiveAs', builtIn)
  call.check([])
  const parts = (text ?? '').split(/[/\\]/).filter((part) => part.trim() !== '' && !/^\.+$/.test(part.trim()))
  call.check(parts.length > 0 ? [] : [{ path: 'archiveAs', key: 'missing' }])
  // A document's folder must not have the name of an index.
  const [first = '', ...others] = parts.map(safeName)
  return join(isIndex(first) ? `_${first}` : first, ...others)
}

/**
 * Returns the format of the signed PDF, or of the usual package if the service makes no signed PDF for this document.
 */
async function formatOf(call: DocumentCall): Promise<string> {
  const wait = (fileFormat: string) => waitUntilReady({ ...call, values: { ...call.values, fileFormat } })
  try {
    await wait('pades')
    return 'pades'
  } catch (error) {
    if (!(error instanceof EidError) || error.code !== 'EID_FAILED') throw error
    await wait('standard_packaging')
    return 'standard_packaging'
  }
}

const endings: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'application/xml': '.xml',
  'text/xml': '.xml',
  'text/plain': '.txt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.etsi.asic-e+zip': '.asice',
}

async function fetchInto(
  call: DocumentCall,
  folder: string,
  fileFormat: string,
  stem: string,
  fileName = '',
): Promise<ArchivedFile> {
  const { documentId: id = '' } = call.values
  const answer = await call.api.send('getDocumentFile', { params: { id }, query: { fileFormat }, as: 'stream' })
  const type = String(answer.headers['content-type'] ?? '').replace(/;.*/, '')
  const ending = endings[type.trim().toLowerCase()] ?? posix.extname(safeName(fileName))
  return write(call, join(folder, `${stem}${ending || '.bin'}`), answer.data as Readable)
}

function writeJson(call: DocumentCall, folder: string, name: string, value: unknown): Promise<ArchivedFile> {
  return write(call, join(folder, name), Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]))
}

async function write(call: DocumentCall, path: string, source: Readable): Promise<ArchivedFile> {
  const file = await createFile(path, call).catch((error: unknown) => {
    source.destroy()
    throw error
  })
  const { size, sha256, path: saved } = await file.receive(source, call.signal)
  return { name: saved.slice(dirname(path).length + 1), size, sha256 }
}

/** Compares the signed PDF with its SHA-256 from the service, if the message is the event that the files are ready. */
function compareChecksum(call: DocumentCall, id: string, format: string, file: ArchivedFile | undefined): void {
  const event = isPlainObject(call.msg.payload) ? call.msg.payload : {}
  if (event.type !== 'document_packaged' || format !== 'pades' || textAt(event, 'payload.attachmentId')) return
  const checksum = textAt(event, 'payload.checksum')
  const isSame = [file?.sha256, Buffer.from(file?.sha256 ?? '', 'hex').toString('base64')].some(
    (one) => one?.toLowerCase() === checksum.toLowerCase(),
  )
  if (checksum === '' || textAt(event, 'payload.documentId') !== id || isSame) return
  throw nodeError('EID_SERVICE', 'errors.otherChecksum', { id }, causeOf('getDocumentFile', { status: 200 }, { id }))
}
