/** Distinguishes services by a short mark. It is short, because it is stored with each of a hundred thousand waits. */
import { createHash } from 'node:crypto'

export function serviceMark(service: string): string {
  return createHash('sha256').update(service).digest('base64url').slice(0, 4)
}
