/** Decides what the request is: the form's values, the message's object, or a combination of both. */

import { isPlainObject, type PlainObject } from '../../common/plain-object'

/**
 * A copy without properties that have no value, and without objects that would be empty then. Arrays are left
 * unchanged.
 */
export function compact(form: PlainObject): PlainObject {
  const result: PlainObject = {}
  for (const name of Object.keys(form)) {
    const value = form[name]
    if (value === undefined || value === '') continue
    if (!isPlainObject(value)) result[name] = value
    else {
      const inner = compact(value)
      if (Object.keys(inner).length > 0) result[name] = inner
    }
  }
  return result
}

/**
 * Merges `form` over `base`, also inside nested objects. An array replaces the other array as a whole. Neither argument
 * is changed.
 */
export function overlay(base: PlainObject, form: PlainObject): PlainObject {
  const merged: PlainObject = { ...base }
  for (const [name, value] of Object.entries(form)) {
    // Assigning to __proto__ would change the object itself instead of adding a property.
    if (name === '__proto__') continue
    const below = Object.hasOwn(base, name) ? base[name] : undefined
    merged[name] = isPlainObject(value) && isPlainObject(below) ? overlay(below, value) : value
  }
  return merged
}

/**
 * Builds a request: merges `more` (the setting *More fields*) over `base`, and the form over the result. Returns `base`
 * itself if there is nothing to merge.
 */
export function layForm(base: PlainObject, more: PlainObject | undefined, form: PlainObject): PlainObject {
  const filled = compact(form)
  const nothing = Object.keys(filled).length === 0 && Object.keys(more ?? {}).length === 0
  return nothing ? base : overlay(overlay(base, more ?? {}), filled)
}

interface BodyChoice {
  /** True if a request field of the form differs from that of a new node. */
  readonly touched: boolean
  /** The type of the `body` setting. With `auto`, the payload can be the request as long as the form is untouched. */
  readonly bodyType: string
  readonly body: unknown
  readonly payload: unknown
}

/**
 * The request to send. With `auto` and an untouched form, a plain object in the payload is sent as it is; with `auto`
 * and a touched form, the form is the request. With any other type, the form's filled-in fields are merged over `body`.
 * Returns undefined if `body` is not an object.
 */
export function chooseBody(form: PlainObject, choice: BodyChoice): PlainObject | undefined {
  const filled = compact(form)
  if (choice.bodyType === 'auto') {
    return !choice.touched && isPlainObject(choice.payload) ? choice.payload : filled
  }
  if (choice.body === undefined) return filled
  return isPlainObject(choice.body) ? overlay(choice.body, filled) : undefined
}
