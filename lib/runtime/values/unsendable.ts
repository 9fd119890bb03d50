/** Finds what would keep a request from being sent as the sender meant it, before anything is sent. */
import type { ProblemKey } from '../../api/errors/errors'
import { misreadTexts } from './misread-text'

/** The problems of a request: it can't be written as JSON, or contains texts that were misread. */
export function unsendable(body: unknown): ProblemKey[] {
  return canBeWritten(body) ? misreadTexts(body) : [{ path: 'body', key: 'json' }]
}

/** Whether JSON can express the value. Nothing is written for this, because a request may contain a file of 50 MiB. */
function canBeWritten(value: unknown): boolean {
  try {
    return isWritable(value, new Map())
  } catch {
    return false // A property that can't be read, or more levels than can be written.
  }
}

/** `seen` are the objects looked at so far, and whether they were found to be writable. */
function isWritable(value: unknown, seen: Map<object, boolean>): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  const known = seen.get(value)
  // An object that is not found writable yet contains itself.
  if (known !== undefined || ArrayBuffer.isView(value)) return known !== false
  seen.set(value, false)
  const { toJSON } = value as { toJSON?: unknown }
  const parts = typeof toJSON === 'function' ? [toJSON.call(value) as unknown] : Object.values(value)
  for (const part of parts) if (!isWritable(part, seen)) return false
  seen.set(value, true)
  return true
}
