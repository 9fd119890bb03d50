/** Distinguishes services by a short mark, because each of a hundred thousand waits has one. */
import { createHash } from 'node:crypto'

export function serviceMark(service: string): string {
  return createHash('sha256').update(service).digest('base64url').slice(0, 4)
}
