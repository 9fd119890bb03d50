/** Sends the request of a large document in pieces, because as a single string it would be in memory four times. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { CallOptions } from '../../lib/api/call/call'
import type { PlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'

/** Minimum length of content that is sent in pieces; a smaller request is faster as a whole. */
const largeLength = 1024 * 1024
/** Number of characters per piece. */
const chunkSize = 256 * 1024

/**
 * Returns the options for sending this request in pieces; empty if the request is small, or if its content is not plain
 * base64.
 */
export function largeBody(body: PlainObject): Pick<CallOptions, 'makeBody'> {
  const content = getPath(body, 'dataToSign.base64Content')
  if (typeof content !== 'string' || content.length < largeLength || !isPlain(content)) return {}
  const around = textAround(body)
  if (!around) return {}
  const [head, tail] = around
  const length = Buffer.byteLength(head) + content.length + Buffer.byteLength(tail)
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) }
  return { makeBody: () => ({ data: Readable.from(pieces(head, content, tail), { objectMode: false }), headers }) }
}

/**
 * Returns the request's text before and after its content. Returns undefined if the request can't be serialized; the
 * call itself then reports the error.
 */
function textAround(body: PlainObject): [string, string] | undefined {
  const mark = randomUUID()
  const dataToSign = { ...(body.dataToSign as PlainObject), base64Content: mark }
  try {
    const [head = '', tail = ''] = JSON.stringify({ ...body, dataToSign }).split(mark)
    return [head, tail]
  } catch {
    return undefined
  }
}

/**
 * Whether every character is one byte and needs no escaping in JSON. The text is checked in pieces, because a pattern
 * over the whole text would copy it.
 */
function isPlain(content: string): boolean {
  for (let from = 0; from < content.length; from += chunkSize) {
    if (!/^[\w+/=-]*$/.test(content.slice(from, from + chunkSize))) return false
  }
  return true
}

function* pieces(head: string, content: string, tail: string): Generator<Buffer> {
  yield Buffer.from(head)
  for (let from = 0; from < content.length; from += chunkSize) {
    yield Buffer.from(content.slice(from, from + chunkSize), 'latin1')
  }
  yield Buffer.from(tail)
}
