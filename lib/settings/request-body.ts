/** The two settings for what a request contains besides the fields of its form. */
import type { TypedField } from './fields'

/** Properties that are added to the request. */
export const more = { kind: 'object', initial: '', type: 'json', request: true } as const satisfies TypedField

/** The object to which the filled-in fields are added; with `auto`, the fields or the payload are the whole request. */
export const body = {
  kind: 'any',
  initial: '',
  type: 'auto',
  types: ['auto', 'msg', 'flow', 'global', 'env', 'json', 'jsonata'],
  json: 'object',
} as const satisfies TypedField
