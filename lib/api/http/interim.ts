/**
 * Removes "100 Continue" responses from incoming bytes. Every client must accept such a response even if it did not ask
 * for it (RFC 9110, 15.2), but undici does not.
 */
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

const interim = /^(?:HTTP\/1\.[01] 100(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n)+/
const start = Buffer.from('HTTP/1.')

/** Wraps the connector so that "100 Continue" responses are removed from what its sockets receive. */
export function withoutContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[1]) dropContinue(result[1])
      callback(...result)
    })
}

/**
 * Checks only the bytes that directly follow a write, because a response begins there; later bytes are the response's
 * content.
 */
function dropContinue(socket: Socket): void {
  let expected = false
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  const read = socket.read.bind(socket) as (size?: number) => unknown
  socket.write = (...args: unknown[]) => {
    expected = true
    return write(...args)
  }
  socket.read = (size?: number) => {
    const chunk = read(size)
    if (!expected || !Buffer.isBuffer(chunk) || !chunk.subarray(0, start.length).equals(start)) return chunk
    const [dropped = ''] = interim.exec(chunk.toString('latin1', 0, 4096)) ?? []
    if (!dropped) expected = false
    return dropped.length === chunk.length ? read(size) : chunk.subarray(dropped.length)
  }
}
