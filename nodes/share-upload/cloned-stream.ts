/** Distinguishes a stream from the copy that Node-RED makes when a message goes down more than one wire. */
import fs from 'node:fs'

/**
 * Whether the stream is certainly a copy: it refers to copies of things that exist only once, such as a socket or the
 * file system. Reading such a copy would give parts of the file, nothing, or a crash. Copies of other streams can't be
 * recognized, but they never deliver anything.
 */
export function isClonedStream(stream: object): boolean {
  return partsOf(stream).some(([name, part]) =>
    name === 'kFs' ? isCopyOfFs(part) : isDead(part) || hasDeadPart(name, part),
  )
}

/** Returns the own properties of an object that are objects themselves; a symbol is named by its description. */
function partsOf(from: object): [string, object][] {
  return Reflect.ownKeys(from).flatMap((key) => {
    const part = (from as Record<string | symbol, unknown>)[key]
    const name = typeof key === 'symbol' ? (key.description ?? '') : key
    return typeof part === 'object' && part !== null ? [[name, part] as [string, object]] : []
  })
}

/**
 * Whether `part` is a copy of the file system module that a file stream uses. If the stream uses a different file
 * system, this is not a copy.
 */
function isCopyOfFs(part: object): boolean {
  return part !== fs && (part as Partial<typeof fs>).open === fs.open
}

/**
 * Whether `part` is the socket of an HTTP response and contains a copy of a handle. The response reads from this
 * socket.
 */
const hasDeadPart = (name: string, part: object) =>
  name === 'socket' && partsOf(part).some(([, inner]) => isDead(inner))

/**
 * Whether this is a copy of a handle. Handles of sockets, pipes and compression belong to the process, so a copy of a
 * handle does not work.
 */
function isDead(part: object): boolean {
  const { getAsyncId } = part as { getAsyncId?: unknown }
  if (typeof getAsyncId !== 'function') return false
  try {
    getAsyncId.call(part)
    return false
  } catch {
    return true
  }
}
