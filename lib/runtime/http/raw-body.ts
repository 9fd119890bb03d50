/** Reads the exact bytes of a request, up to a limit. */
import type { HttpRequest } from '../node-red/node-red'

/**
 * `too-large`: the body is over the limit. `too-slow`: not all of the body arrived in time; the response has to close
 * the connection. `taken`: another handler has read the body and kept no bytes. `broken`: the sender disconnected.
 */
type RawBody = Buffer | 'too-large' | 'too-slow' | 'taken' | 'broken'

/**
 * The whole body has to arrive within this time, because a sender that is too slow occupies a slot that others need.
 */
const bodyTimeoutMs = 10_000

/**
 * Reads at most `maxBytes` of the body. If another part of Node-RED has read the body and kept its bytes, these bytes
 * are used; a parsed body is never used.
 */
export async function readBytes(request: HttpRequest, maxBytes: number): Promise<RawBody> {
  const { rawBody } = request as { rawBody?: unknown }
  const bytes = [request.body, rawBody].find((one) => Buffer.isBuffer(one)) as Buffer | undefined
  if (bytes) return bytes.length > maxBytes ? 'too-large' : bytes
  if (request.body !== undefined || request.readableEnded) return 'taken'
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return 'too-large'
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'too-slow'>((resolve) => (timer = setTimeout(() => resolve('too-slow'), bodyTimeoutMs)))
  return Promise.race([gather(request, maxBytes), late]).finally(() => clearTimeout(timer))
}

async function gather(request: HttpRequest, maxBytes: number): Promise<RawBody> {
  const parts: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop must not close the connection, because the sender still gets a response.
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += part.length
      if (size > maxBytes) return 'too-large'
      parts.push(part)
    }
  } catch {
    return 'broken'
  }
  return Buffer.concat(parts)
}
