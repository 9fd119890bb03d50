/** Fetches a document's file into the message or, streamed, into a file, with its size and SHA-256. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EidError, inputError } from '../../lib/api/errors'
import { sleep } from '../../lib/api/retry'
import type { Patch } from '../../lib/runtime/api-node'
import { absolutePath } from '../../lib/runtime/files'
import { getPath } from '../../lib/runtime/read-text'
import type { DocumentCall } from './call'

export async function download(call: DocumentCall): Promise<Patch> {
  const { documentId: id, fileFormat, saveTo, waitUntilReady } = call.values
  if (waitUntilReady) await untilReady(call)
  const query = { fileFormat }
  if (saveTo) {
    const path = absolutePath(saveTo, call.workingDirectory)
    const answer = await call.api.send('getDocumentFile', { id, query, as: 'stream' })
    const written = await save(answer.data as Readable, path, call.signal)
    const file = { path, fileFormat, contentType: answer.headers['content-type'], ...written }
    call.setStatus('saved')
    return { payload: file, file, documentId: id }
  }
  const answer = await call.api.send('getDocumentFile', { id, query, as: 'buffer' })
  const payload = answer.data as Buffer
  const sha256 = createHash('sha256').update(payload).digest('hex')
  const file = { fileFormat, contentType: answer.headers['content-type'], size: payload.length, sha256 }
  call.setStatus('downloaded')
  return { payload, file, documentId: id }
}

/** Asks for the status, ever more seldom, until the wanted format is there. */
async function untilReady(call: DocumentCall): Promise<void> {
  const { documentId: id, fileFormat = '', waitTimeout = 300 } = call.values
  // The original is there from the start and is not among the packages of every service.
  if (fileFormat === 'unsigned') return
  const end = Date.now() + waitTimeout * 1000
  for (let wait = 1000; ; wait = Math.min(wait * 1.5, 30_000)) {
    const { data } = await call.api.send('getDocumentStatus', { id })
    const packages = getPath(data, 'completedPackages')
    if (Array.isArray(packages) && packages.includes(fileFormat)) return
    const state = getPath(data, 'documentStatus')
    if (state === 'canceled' || state === 'expired') throw neverReady(call, String(state))
    if (Date.now() + wait > end) throw tooLate(call, waitTimeout)
    call.progress('waiting')
    await sleep(wait, call.signal).catch(() => {
      throw tooLate(call, waitTimeout)
    })
  }
}

function neverReady({ values }: DocumentCall, status: string): EidError {
  const text = { key: 'errors.EID_FAILED', params: { what: '@what.document', id: values.documentId ?? '', status } }
  return new EidError('EID_FAILED', text, { attempts: 1, outcome: 'not-done' })
}

function tooLate({ values }: DocumentCall, seconds: number): EidError {
  const call = `GET /signature/documents/${values.documentId ?? ''}/status`
  const text = { key: 'errors.EID_TIMEOUT', params: { call, seconds } }
  return new EidError('EID_TIMEOUT', text, { attempts: 1, outcome: 'not-done' })
}

/** Writes to a name beside the wanted one first: whoever watches the folder never sees half a file. */
async function save(source: Readable, path: string, signal: AbortSignal) {
  const partial = `${path}.part`
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length
      hash.update(chunk)
      next(null, chunk)
    },
  })
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(source, measure, createWriteStream(partial), { signal })
    await rename(partial, path)
  } catch (error) {
    source.destroy()
    await rm(partial, { force: true }).catch(() => undefined)
    if (isFileError(error)) throw inputError([{ path: 'saveTo', key: 'fileNotWritable' }])
    throw error
  }
  return { size, sha256: hash.digest('hex') }
}

/** Errors of the file system carry the system call that failed; a path that cannot be one at all is refused before. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('syscall' in error && 'path' in error) || ('code' in error && error.code === 'ERR_INVALID_ARG_VALUE')
}
