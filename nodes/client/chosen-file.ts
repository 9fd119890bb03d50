/** The "files" route: takes a file of a person's own computer into the user folder, for a form to name it. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { maxChosenBytes } from '../../lib/common/limits'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red/node-red'
import { safeName } from '../../lib/runtime/files/safe-name'
import { numberedFolder } from '../../lib/runtime/files/new-name'
import { createFile } from '../../lib/runtime/files/save-file'

class TooLarge extends Error {}

/**
 * Registers `POST eid/files?name=<file name>`, whose body is the file, for people who may deploy. Answers with
 * `{path}`: 201; 413 when the file is too large, 415 for any other type than bytes, 500 when it can't be written.
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

/** Milliseconds for which the rest of a refused file is still taken in. */
const drainMs = 10_000

function refuse(request: HttpRequest, response: HttpResponse, status: number): void {
  if (response.destroyed) return
  response.status(status).json({})
  // A connection that is closed with something unread loses the answer as well.
  const late = setTimeout(() => request.destroy(), drainMs).unref()
  request.once('close', () => clearTimeout(late)).resume()
}

/** The absolute path of the file, when all of it is there. */
async function receive(userFolder: string | undefined, request: HttpRequest): Promise<string> {
  // A form on a foreign page can't send this type with the browser's own login.
  if (request.headers['content-type'] !== 'application/octet-stream') throw wrongType
  if (Number(request.headers['content-length'] ?? 0) > maxChosenBytes) throw new TooLarge()
  if (userFolder === undefined) throw new Error('userDir')
  const folder = join(userFolder, 'eid', 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { name } = request.query
  const wanted = join(folder, safeName(typeof name === 'string' ? name : ''))
  const { signal } = new AbortController()
  // A list is known by the name of its file: the corrected list continues the one before.
  const file = await createFile(wanted, { userFolder, signal, mode: 0o600, placeOf: numberedFolder })
  const { path } = await file.receive(Readable.from(atMost(request), { objectMode: false }), signal)
  return path
}

/** The bytes of a request; one that breaks off or takes too long throws, and can still be answered. */
async function* atMost(request: HttpRequest): AsyncGenerator<Buffer> {
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxChosenBytes) throw new TooLarge()
    yield part
  }
}
