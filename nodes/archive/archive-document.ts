/**
 * "archive": stores a signed document in its own folder, with the original, the record and the log of notifications,
 * and adds it to the index of the archive.
 */
import { dirname, join, posix } from 'node:path'
import { Readable } from 'node:stream'
import { EidError, nodeError } from '../../lib/api/errors/errors'
import { causeOf } from '../../lib/api/call/answer-error'
import { isPlainObject } from '../../lib/common/plain-object'
import { safeName } from '../../lib/runtime/files/safe-name'
import { createFile } from '../../lib/runtime/files/save-file'
import type { Patch } from '../../lib/runtime/node/message-call'
import { hasSigned, signingTimes } from '../../lib/runtime/service/signers'
import { momentOfMessage } from '../../lib/runtime/values/message-moment'
import { builtInOf } from '../../lib/runtime/values/template'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { stateParam } from '../../lib/runtime/service/document-words'
import { waitUntilReady } from '../../lib/runtime/service/wait-until-ready'
import { archiveErrors, type ArchiveCall } from './archive-call'
import { isIndex } from './index-file'
import type { ArchivedFile } from './index-lines'
import { findKept, finishCrashed, keepFiles, type KeptDocument } from './keep'
import type { Archive } from './place'

/** Archives the message's document; if the document already has a line in the index, nothing is changed. */
export async function archiveDocument(call: ArchiveCall, place: Archive): Promise<Patch> {
  const { documentId: id = '' } = call.values
  return place.parts.documents.run(
    JSON.stringify([place.real, id]),
    async () => {
      const before = await finishCrashed(place, call.signal)
        .then(() => findKept(place, id, call.signal))
        .catch(archiveErrors(call, place.folder))
      const { entry, existing } = before ?? (await add(call, place, id))
      call.setStatus(existing ? 'archivedBefore' : 'archived')
      const folder = join(place.folder, dirname(entry.files[0]?.name ?? ''))
      return { payload: { folder, files: entry.files, existing }, existing, documentId: id }
    },
    call.signal,
  )
}

async function add(call: ArchiveCall, place: Archive, id: string): Promise<KeptDocument> {
  const { data: record } = await call.api.send('getDocument', { id })
  const state = textAt(record, 'status.documentStatus') || textAt(record, 'documentStatus')
  call.check(
    state === 'signed' ? [] : [{ path: 'documentId', key: 'notSigned', params: { state: stateParam(state) || '–' } }],
  )
  const title = textAt(record, 'title') || id
  const wanted = folderName(call, record, title)
  const format = await formatOf(call)
  const { approval } = call.msg
  const log = await call.api.send('listNotifications', { id })
  const collect = async (folder: string) => {
    const files = [
      await fetchInto(call, folder, format, 'signed'),
      await fetchInto(call, folder, 'unsigned', 'original', textAt(record, 'dataToSign.fileName')),
      await writeJson(call, folder, 'record.json', record),
      await writeJson(call, folder, 'notifications.json', log.data),
      ...(isPlainObject(approval) ? [await writeJson(call, folder, 'approval.json', approval)] : []),
    ]
    compareChecksum(call, id, format, files[0])
    const entry = {
      time: new Date().toISOString(),
      documentId: id,
      ...(textAt(record, 'externalId') && { externalId: textAt(record, 'externalId') }),
      title,
      signers: listAt(record, 'signers').filter(hasSigned).map(signerName).filter(Boolean),
      files,
    }
    return { wanted, entry }
  }
  return keepFiles(place, id, collect, call.signal).catch(archiveErrors(call, place.folder))
}

function signerName(signer: unknown): string {
  const info = getPath(signer, 'signerInfo') ?? signer
  return [textAt(info, 'firstName'), textAt(info, 'lastName')].filter(Boolean).join(' ')
}

/** Returns the path below the archive's folder; each part of it is a name that every system accepts. */
function folderName(call: ArchiveCall, record: unknown, title: string): string {
  const times = signingTimes(record)
  // The date is the day on which the document ended, so that every archive of it has the same name.
  const ended = times.length > 0 ? Math.max(...times) : momentOfMessage(call.msg)
  const builtIn = { ...builtInOf({ title, signers: { list: listAt(record, 'signers') } }, ended), title }
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
async function formatOf(call: ArchiveCall): Promise<string> {
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
  call: ArchiveCall,
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

function writeJson(call: ArchiveCall, folder: string, name: string, value: unknown): Promise<ArchivedFile> {
  return write(call, join(folder, name), Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]))
}

async function write(call: ArchiveCall, path: string, source: Readable): Promise<ArchivedFile> {
  const file = await createFile(path, call).catch((error: unknown) => {
    source.destroy()
    throw error
  })
  const { size, sha256, path: saved } = await file.receive(source, call.signal)
  return { name: saved.slice(dirname(path).length + 1), size, sha256 }
}

/** Compares the signed PDF with its SHA-256 from the service, if the message is the event that the files are ready. */
function compareChecksum(call: ArchiveCall, id: string, format: string, file: ArchivedFile | undefined): void {
  const event = isPlainObject(call.msg.payload) ? call.msg.payload : {}
  if (event.type !== 'document_packaged' || format !== 'pades' || textAt(event, 'payload.attachmentId')) return
  const checksum = textAt(event, 'payload.checksum')
  const isSame = [file?.sha256, Buffer.from(file?.sha256 ?? '', 'hex').toString('base64')].some(
    (one) => one?.toLowerCase() === checksum.toLowerCase(),
  )
  if (checksum === '' || textAt(event, 'payload.documentId') !== id || isSame) return
  throw nodeError('EID_SERVICE', 'errors.otherChecksum', { id }, causeOf('getDocumentFile', { status: 200 }, { id }))
}
