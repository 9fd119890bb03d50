/**
 * The "files" route: receives a file from a person's computer and stores it in the user folder, so that a form can use
 * it.
 */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { eidFolder } from '../../lib/common/eid-folder'
import { maxChosenBytes } from '../../lib/common/limits'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red/node-red'
import { safeName } from '../../lib/runtime/files/safe-name'
import { numberedFolder } from '../../lib/runtime/files/new-name'
import { createFile } from '../../lib/runtime/files/save-file'

class TooLarge extends Error {}

/**
 * Registers `POST eid/files?name=<file name>` for people who may deploy; the body is the file. Responds with 201 and
 * `{path}`, 413 if the file is too large, 415 if the body is not bytes, 500 if the file can't be written.
 */
export function registerFileRoute(RED: Runtime): void {
  RED.httpAdmin.post('/eid/files', ...editorOnly(RED, 'eid.write'), (request, response) => {
    void receive(RED.settings.userDir, request).then(
      (path) => response.status(201).json({ path }),
      (error: unknown) => refuse(request, response, error instanceof TooLarge ? 413 : error === wrongType ? 415 : 500),
    )
  })
}

const wrongType = new Error('type')

/**
 * Answers when the rest of the file has been received: a sender that is still sending when the connection is closed does
 * not get the answer. Node.js itself limits how long a request may take.
 */
function refuse(request: HttpRequest, response: HttpResponse, status: number): void {
  const answer = () => void response.status(status).json({})
  if (request.readableEnded) answer()
  else request.once('end', answer).resume()
}

/** Stores the file and returns its absolute path when it is complete. */
async function receive(userFolder: string | undefined, request: HttpRequest): Promise<string> {
  // A form on a foreign page can't send this content type with the browser's stored login.
  if (request.headers['content-type'] !== 'application/octet-stream') throw wrongType
  if (Number(request.headers['content-length'] ?? 0) > maxChosenBytes) throw new TooLarge()
  if (userFolder === undefined) throw new Error('userDir')
  const folder = join(eidFolder(userFolder), 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { name } = request.query
  const wanted = join(folder, safeName(typeof name === 'string' ? name : ''))
  const { signal } = new AbortController()
  // The file keeps its name, in a folder of its own: a list is identified by its file name, so that a corrected list
  // continues the previous one.
  const file = await createFile(wanted, { userFolder, signal, mode: 0o600, placeOf: numberedFolder })
  const { path } = await file.receive(Readable.from(atMost(request), { objectMode: false }), signal)
  return path
}

/**
 * Yields the bytes of a request; throws if the request breaks off, takes too long or is too large. A response can still
 * be sent then.
 */
async function* atMost(request: HttpRequest): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxChosenBytes) throw new TooLarge()
    yield part
  }
}
