/** Decides what the request is: the form, the message, or the one laid over the other. */

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

/** `form` laid over `base`, deep; arrays are replaced whole; neither argument is changed. */
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
 * A request: what the form says, over *More fields* as it was typed, over `base`. It is `base` itself when there is
 * nothing to lay over it.
 */
export function layForm(base: PlainObject, more: PlainObject | undefined, form: PlainObject): PlainObject {
  const filled = compact(form)
  const nothing = Object.keys(filled).length === 0 && Object.keys(more ?? {}).length === 0
  return nothing ? base : overlay(overlay(base, more ?? {}), filled)
}

export interface BodyChoice {
  /** A request field of the form differs from what a fresh node has. */
  readonly touched: boolean
  /** The type of the `body` setting; `auto` is the rule of the untouched form. */
  readonly bodyType: string
  readonly body: unknown
  readonly payload: unknown
}

/**
 * The request to send. `auto`: an untouched form lets a plain object in the payload go out as it is, a touched form is
 * the request. Any other type: the form's filled-in fields laid over that object. Returns undefined when that is not an
 * object.
 */
export function chooseBody(form: PlainObject, choice: BodyChoice): PlainObject | undefined {
  const filled = compact(form)
  if (choice.bodyType === 'auto') {
    return !choice.touched && isPlainObject(choice.payload) ? choice.payload : filled
  }
  if (choice.body === undefined) return filled
  return isPlainObject(choice.body) ? overlay(choice.body, filled) : undefined
}
