/**
 * Lists the known calls in the form that "request" accepts: each id is replaced by the name of the message property
 * that holds it.
 */
import { operations, type Operation } from '../../lib/api/operations/operations'

const idNames: readonly (readonly [path: string, name: string])[] = [
  ['/signature/documents/', 'documentId'],
  ['/identification/', 'sessionId'],
  ['/share/', 'shareId'],
  ['/deposit/', 'depositId'],
  ['/notification/events/', 'eventId'],
]

/** Returns `GET /signature/documents/{documentId}` and so on, sorted by path. */
export function knownCalls(): string[] {
  const all: readonly Operation[] = Object.values(operations)
  return [...all].sort((one, other) => one.path.localeCompare(other.path)).map(wordsOf)
}

function wordsOf({ method, path }: Operation): string {
  const id = idNames.find(([start]) => path.startsWith(start))?.[1] ?? 'id'
  return `${method} ${path.replace('{id}', `{${id}}`)}`
}
