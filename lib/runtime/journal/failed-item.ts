/**
 * Identifies what a failed message was about, so that two items that fail for the same reason are counted as two items,
 * each with its own name.
 */
import { createHash, type Hash } from 'node:crypto'
import { allPersonalIn } from '../../api/call/personal'
import { isPersonalKey, maskKey } from '../../api/errors/mask-key'
import { redact } from '../../api/errors/redact'
import { isPlainObject, propertyOf, type PlainObject } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'
import { getPath, listAt } from '../values/read-text'
import type { FailedItem } from '../monitor/occurrences'

/** The length at which titles are cut; the rest would add no information. */
const maxTitle = 80
/**
 * Limits for identifying an item: of a longer text, only the length and the beginning count; of a larger message, only
 * the first values.
 */
const maxText = 4_000
const maxValues = 2_000
const maxDepth = 12

/**
 * Identifies the item that the message was about. Two messages with the same `values` (the settings as read for the
 * message) are about the same item. If there is no id among the values, an object or list in `msg.payload` counts too.
 * `request` is the request to send; its title is used if the values contain none, or else that of the same document in
 * `msg.payload`. Never throws: a value that can't be read, such as a revoked proxy, is ignored.
 */
export function failedItem(
  values: Readonly<Record<string, unknown>>,
  msg: FlowMessage,
  request: PlainObject = {},
): FailedItem {
  const payload = propertyOf(msg, 'payload')
  const hasId = Object.entries(values).some(([name, value]) => /Id$/.test(name) && typeof value === 'string')
  const mark = markOf(hasId || !isData(payload) ? [values] : [values, payload])
  const all = { ...values, title: values.title ?? propertyOf(request, 'title') ?? titleInRecord(values, payload) }
  const title = titleOf(all, [payload, request], keyOf(msg))
  const { externalId } = values
  const named = resources.flatMap((name): [string, string][] => {
    const id = values[name]
    return typeof id === 'string' && id !== '' ? [[name, maskKey(id)]] : []
  })
  const isShown = typeof externalId === 'string' && externalId !== '' && !isPersonalKey(externalId)
  return { mark, ...Object.fromEntries(named), ...(title && { title }), ...(isShown && { externalId }) }
}

const resources = ['documentId', 'sessionId', 'shareId', 'depositId'] as const

/**
 * Does the same as `failedItem` for a node whose settings say nothing about the message. `id` is the id of the item, or
 * empty if the node does not know it.
 */
export function failedItemOf(msg: FlowMessage, id: string): FailedItem {
  const known =
    id === ''
      ? [...resources, 'externalId'].map((name): [string, unknown] => [name, propertyOf(msg, name)])
      : [['itemId', id]]
  return failedItem(Object.fromEntries(known), msg)
}

/**
 * Makes a title safe to show: shortens it and removes names and addresses of people, including those in `sources`. Empty
 * if `sources` contain more than is looked at.
 */
export function shownTitle(title: string, ...sources: readonly unknown[]): string {
  return maskTitle(title, allPersonalIn(...sources))
}

function maskTitle(title: string, personal: readonly string[] | undefined): string {
  // A name that was not collected can't be hidden.
  if (!personal) return ''
  const shown = redact(title, personal).replace(/…(?:[\s,;]*…)+/g, '…')
  // If all of the title was personal, there is no title to show.
  if (shown.trim() === '…') return ''
  return shown.replace(/^@+/, '').slice(0, maxTitle)
}

/**
 * The title in the payload if it is the record of the document that the values name. A title may contain the names of
 * the signers. A list or a summary has only their ids, so the names in its title could not be recognized and hidden.
 */
function titleInRecord({ documentId }: Readonly<Record<string, unknown>>, payload: unknown): unknown {
  if (documentId === undefined || !isData(payload) || propertyOf(payload, 'documentId') !== documentId) return undefined
  try {
    const signers = listAt(payload, 'signers')
    return signers.length > 0 && signers.every(isNamed) ? propertyOf(payload, 'title') : undefined
  } catch {
    return undefined
  }
}

function isNamed(signer: unknown): boolean {
  const names = ['firstName', 'lastName'].map((name) => getPath(signer, `signerInfo.${name}`))
  return names.every((name) => typeof name === 'string' && name.trim() !== '')
}

function isData(payload: unknown): payload is object {
  try {
    return isPlainObject(payload) || Array.isArray(payload)
  } catch {
    return false
  }
}

/** The key of the row that the message carries; the key is shown beside the title. */
function keyOf(msg: FlowMessage): string {
  const batch = propertyOf(msg, 'batch')
  const key = isPlainObject(batch) ? propertyOf(batch, 'key') : undefined
  return typeof key === 'string' && !isPersonalKey(key) ? key : ''
}

function titleOf(values: Readonly<Record<string, unknown>>, sources: readonly unknown[], key: string): string {
  // `name` is left out, because the node's own name on the canvas is not the name of a person.
  const { title, name: _label, fields, ...others } = values
  if (typeof title !== 'string' || title.trim() === '') return ''
  try {
    const personal = allPersonalIn(others, byName(fields), ...sources)
    return maskTitle(
      title,
      personal?.filter((one) => one !== key),
    )
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

function markOf(parts: readonly unknown[]): string {
  const hash = createHash('sha256')
  const left = { values: maxValues }
  try {
    for (const part of parts) digest(hash, part, left, 0)
  } catch {
    // Values that can't be read are ignored; the other values identify the item.
  }
  return hash.digest('hex').slice(0, 32)
}

function digest(hash: Hash, value: unknown, left: { values: number }, depth: number): void {
  if (left.values-- <= 0 || depth > maxDepth) return
  if (typeof value === 'string') hash.update(`s${value.length}:${value.slice(0, maxText)};`)
  else if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value
    hash.update(`b${byteLength}:`).update(Buffer.from(buffer, byteOffset, Math.min(byteLength, maxText)))
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value)
    hash.update(isList ? '[' : '{')
    // A list may be a file of millions of bytes, whose places are not written out for the few that count.
    const names = Object.keys(isList ? value.slice(0, maxValues) : value)
    for (const name of names) {
      hash.update(`${name.length}:${name}=`)
      digest(hash, (value as Record<string, unknown>)[name], left, depth + 1)
    }
    hash.update('}')
  } else if (typeof value !== 'function') hash.update(`${typeof value}:${String(value)};`)
}
