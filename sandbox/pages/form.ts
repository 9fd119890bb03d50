/** Lets one address serve both people and scripts: accepts a form or JSON, and returns a page or JSON. */
import type { Call } from '../server/call'
import { textIn } from '../server/json'

/** Whether the request comes from a browser, which wants a page. */
export function wantsPage(call: Call): boolean {
  return /\btext\/html\b/.test(call.headers.accept ?? '')
}

/**
 * Returns a function that reads values of the body by name, whether the body is a form or JSON; absent values are
 * empty.
 */
export function readValues(call: Call): (name: string) => string {
  if (/x-www-form-urlencoded/.test(call.headers['content-type'] ?? '')) {
    const form = call.form()
    return (name) => form.get(name) ?? ''
  }
  const json = call.json()
  return (name) => textIn(json[name])
}
