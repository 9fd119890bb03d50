/** Sends the request of a large document in pieces: as one string it would be in memory four times. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { CallOptions } from '../../lib/api/call/call'
import type { PlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'

/** Content from this length on is sent in pieces; a small request is faster as a whole. */
const largeLength = 1024 * 1024
/** Characters per piece. */
const chunkSize = 256 * 1024

/** The options to send this request in pieces; none if it is small, or if its content is not plain base64. */
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
 * The request before and after its content; undefined if it can't be serialized, which the call itself then reports.
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
 * True if every character is one byte and needs no escaping in JSON. Checked in pieces, because a pattern over the
 * whole text would copy it.
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
