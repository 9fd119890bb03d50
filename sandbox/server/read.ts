/** Reads request bodies, up to a limit. */
import type { IncomingMessage } from 'node:http'
import { invalid, httpError } from './answers'

/** Bytes of a body that is read as a whole: documents come as base64. */
const LIMIT = 96 * 1024 * 1024

/** The whole body. Rejects with a HttpError (413) beyond the limit, and when the connection breaks. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LIMIT) throw httpError(413, 'TOO_LARGE', 'The request is too large.')
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** The body as a JSON object; `{}` when there is none. Throws a HttpError (400) otherwise. */
export function parseObject(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {}
  const parsed = parse(body)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw invalid([{ field: '', message: 'The request body must be a JSON object.' }])
  }
  return parsed as Record<string, unknown>
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw invalid([{ field: '', message: 'The request body is not JSON.' }])
  }
}
