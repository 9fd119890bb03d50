/** What an error shows of the object that it is about: its ids and, if the node has built the request, its title. */
import { allPersonalIn } from '../../api/call/personal'
import { EidError, mayHaveActed, withCause } from '../../api/errors/errors'
import { isPersonalKey, maskKey, redact } from '../../api/errors/mask'
import { wholeOf } from '../../api/errors/subjects'
import { operations } from '../../api/operations/operations'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import { getPath } from '../values/read-text'
import type { FlowMessage } from '../node-red/node-red'
import type { ErrorSubject } from '../monitor/occurrences'
import { keysIn, resourceIds } from './subject'

/** The length at which titles are cut; the rest would add no information. */
const maxTitle = 80

/**
 * What the error is about: the ids and the key among `values` (the settings as read for the message), and the title in
 * them or in the request. Never throws: a value that can't be read, such as a revoked proxy, is ignored.
 */
export function failedItem(
  values: Readonly<Record<string, unknown>>,
  msg: FlowMessage,
  request: Readonly<Record<string, unknown>> = {},
): ErrorSubject {
  const ids = resourceIds.flatMap((name): [string, string][] => {
    const id = values[name]
    return typeof id === 'string' && id !== '' ? [[name, maskKey(id)]] : []
  })
  const [key] = keysIn(values)
  const title = titleOf({ ...values, title: values.title ?? titleIn(request) }, [propertyOf(msg, 'payload'), request])
  const isShown = key !== undefined && !isPersonalKey(key)
  return { ...Object.fromEntries(ids), ...(title && { title }), ...(isShown && { externalId: key }) }
}

/** Does the same for a node whose settings say nothing about the message. `id` is the id of the item, if it is known. */
export function failedItemOf(msg: FlowMessage): ErrorSubject {
  const named = [...resourceIds, 'externalId'].map((name): [string, unknown] => [name, propertyOf(msg, name)])
  return failedItem(Object.fromEntries(named), msg)
}

/**
 * Adds the title and the key of the affected object to the cause of an error whose outcome is unknown. Returns any
 * other error unchanged.
 */
export function withSubject(error: unknown, body: unknown, msg: FlowMessage): unknown {
  if (!(error instanceof EidError) || !mayHaveActed(error.cause)) return error
  const { path = '' } = error.cause
  // Once the message has a document, its key is the document's.
  const isCreated = path === operations.createDocument.path || (!wholeOf(path) && !msg.documentId)
  const [key = isCreated ? msg.externalId : undefined] = keysIn(body)
  const title = shownTitle(titleIn(body), body)
  const isShown = typeof key === 'string' && key !== '' && !isPersonalKey(key)
  return withCause(error, { ...(title && { title }), ...(isShown && { externalId: key }) })
}

/** The title in a request; empty without one, and if it can't be read. */
function titleIn(request: unknown): string {
  try {
    const titles = [getPath(request, 'title'), getPath(request, 'information.title')]
    return (titles.find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined) ?? ''
  } catch {
    return ''
  }
}

/**
 * Makes a title safe to show: shortens it and removes names and addresses of people, including those in `sources`. Empty
 * if `sources` contain more than is looked at.
 */
export function shownTitle(title: string, ...sources: readonly unknown[]): string {
  const personal = allPersonalIn(...sources)
  // A name that was not collected can't be hidden.
  if (!personal) return ''
  const shown = redact(title, personal).replace(/…(?:[\s,;]*…)+/g, '…')
  // If all of the title was personal, there is no title to show.
  if (shown.trim() === '…') return ''
  return shown.replace(/^@+/, '').slice(0, maxTitle)
}

function titleOf(values: Readonly<Record<string, unknown>>, sources: readonly unknown[]): string {
  // `name` is left out, because the node's own name on the canvas is not the name of a person.
  const { title, name: _label, fields, ...others } = values
  if (typeof title !== 'string' || title.trim() === '') return ''
  try {
    return shownTitle(title, others, byName(fields), ...sources)
  } catch {
    // A text that can't be checked is not shown, because it might be the name of a person.
    return ''
  }
}

/**
 * The fields of a Word file as an object, so that each field's name shows whether its value is personal. The names
 * themselves are words of the contract, not of a person.
 */
function byName(fields: unknown): unknown {
  if (!isPlainObject(fields) || fields.from !== 'form' || !Array.isArray(fields.rows)) return fields
  const rows = (fields.rows as unknown[]).filter(isPlainObject)
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), value]))
}
