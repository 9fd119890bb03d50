/** Decides what the request is: the form, the message, or a combination. */

import { isPlainObject, type PlainObject } from '../../common/plain-object'

/** A copy without properties that have no value, and without objects that end up empty. Arrays are left unchanged. */
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

/** Merges `form` over `base`, deeply; arrays are replaced as a whole; neither argument is changed. */
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

/** Builds a request: the form over *More fields*, over `base`. Returns `base` itself if there is nothing to merge. */
export function layForm(base: PlainObject, more: PlainObject | undefined, form: PlainObject): PlainObject {
  const filled = compact(form)
  const nothing = Object.keys(filled).length === 0 && Object.keys(more ?? {}).length === 0
  return nothing ? base : overlay(overlay(base, more ?? {}), filled)
}

export interface BodyChoice {
  /** A request field of the form differs from that of a new node. */
  readonly touched: boolean
  /** The type of the `body` setting; `auto` lets an untouched form decide. */
  readonly bodyType: string
  readonly body: unknown
  readonly payload: unknown
}

/**
 * The request to send. `auto`: with an untouched form, a plain object in the payload is sent as it is; otherwise the
 * form is the request. Any other type: the form's filled-in fields merged over that object. Returns undefined if that
 * is not an object.
 */
export function chooseBody(form: PlainObject, choice: BodyChoice): PlainObject | undefined {
  const filled = compact(form)
  if (choice.bodyType === 'auto') {
    return !choice.touched && isPlainObject(choice.payload) ? choice.payload : filled
  }
  if (choice.body === undefined) return filled
  return isPlainObject(choice.body) ? overlay(choice.body, filled) : undefined
}
