/** Two settings with which a request can contain more than the fields of its form. */
import type { TypedField } from './fields'

/** Properties that are added to the request. */
export const more = { kind: 'object', initial: '', type: 'json', request: true } as const satisfies TypedField

/**
 * The object to which the filled-in fields are added. With `auto`, there is no such object: the filled-in fields are
 * the whole request, or the payload is.
 */
export const body = {
  kind: 'any',
  initial: '',
  type: 'auto',
  types: ['auto', 'msg', 'flow', 'global', 'env', 'json', 'jsonata'],
  json: 'object',
} as const satisfies TypedField
