/** Reads request bodies, with one limit for each body, and one for all bodies that are being read at the same time. */
import type { IncomingMessage } from 'node:http'
import { errorAnswer, HttpError, httpError, invalid } from './answers'

const MIB = 1024 * 1024

/** Maximum bytes of a body read as a whole: documents are sent as base64. */
const MAX_BODY_BYTES = 96 * MIB
/** Maximum bytes of a body without a token: forms, and calls of page scripts. */
export const MAX_OPEN_BODY_BYTES = MIB / 16
/** Maximum bytes of all bodies being read at a time. */
const MAX_BYTES_ON_THEIR_WAY = 256 * MIB

export type ReadBody = (request: IncomingMessage, maxBytes?: number) => Promise<Buffer>

/**
 * Creates a reader of whole bodies. It rejects with an HttpError: 413 if a body exceeds its limit, 503 if all bodies
 * together exceed their common limit. It also rejects if the connection breaks.
 */
export function createBodyReader(maxOnTheirWay = MAX_BYTES_ON_THEIR_WAY): ReadBody {
  let onTheirWay = 0
  return async (request, maxBytes = MAX_BODY_BYTES) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    const chunks: Buffer[] = []
    let size = 0
    try {
      // The stream stays open, so that a response can still be sent.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length
        onTheirWay += chunk.length
        if (size > maxBytes) throw tooLarge()
        if (onTheirWay > maxOnTheirWay) throw busy()
        chunks.push(chunk)
      }
    } finally {
      onTheirWay -= size
    }
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  }
}

function busy(): Error {
  const answer = errorAnswer(503, 'BUSY', 'Too much is on its way.')
  return new HttpError({ ...answer, headers: { 'Retry-After': '1' } })
}

function tooLarge(): Error {
  return httpError(413, 'TOO_LARGE', 'The request is too large.')
}

/** The body as a JSON object; `{}` without a body. Throws an HttpError (400) for anything else. */
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
