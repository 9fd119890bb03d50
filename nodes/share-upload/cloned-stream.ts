/** Distinguishes a stream from the copy that Node-RED makes when a message goes down more than one wire. */
import fs from 'node:fs'

/**
 * True for what is certainly a copy: it refers to copies of things that exist only once, such as a socket or the file
 * system. Reading it would give parts of the file, nothing, or a crash. Copies of other streams can't be recognized
 * from the outside; they just stay silent.
 */
export function isClonedStream(stream: object): boolean {
  return partsOf(stream).some(([name, part]) =>
    name === 'kFs' ? isCopyOfFs(part) : isDead(part) || hasDeadPart(name, part),
  )
}

/** Own properties that are objects; symbols by description. */
function partsOf(from: object): [string, object][] {
  return Reflect.ownKeys(from).flatMap((key) => {
    const part = (from as Record<string | symbol, unknown>)[key]
    const name = typeof key === 'symbol' ? (key.description ?? '') : key
    return typeof part === 'object' && part !== null ? [[name, part] as [string, object]] : []
  })
}

/** A file stream refers to the file system module itself; one that uses another file system is left alone. */
function isCopyOfFs(part: object): boolean {
  return part !== fs && (part as Partial<typeof fs>).open === fs.open
}

/** An HTTP response is read from its socket. */
const hasDeadPart = (name: string, part: object) =>
  name === 'socket' && partsOf(part).some(([, inner]) => isDead(inner))

/** Handles of sockets, pipes and compression belong to the process; a copy of one does not work. */
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
