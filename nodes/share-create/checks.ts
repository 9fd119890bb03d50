/** Validates a create-share request before it is sent (`interface.md` 2.3), in either spelling of the field names. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { isPathId } from '../../lib/settings/rules'
import type { PlainObject } from '../../lib/common/plain-object'
import {
  accessLists,
  contradictions,
  hasAccessList,
  isLong,
  itemsOf,
  recipientProblems,
  required,
  type Item,
} from '../../lib/runtime/service/recipient-checks'
import { isEmpty } from '../../lib/runtime/values/read-text'
import type { RecipientRow } from '../../lib/runtime/service/recipients'

/** Returns contradictions in the form's recipient rows, before the rows become part of the request. */
export function rowProblems(rows: readonly RecipientRow[]): ProblemKey[] {
  return rows.flatMap((row, index) => contradictions(row, `recipients[${index}].`))
}

/**
 * Returns all mistakes in `body`: values that the service would certainly refuse. `seeEverything` allows recipients
 * with an empty access list.
 */
export function problemsOf(body: PlainObject, seeEverything: boolean, now: number): ProblemKey[] {
  const content = itemsOf(body.content)
  const recipients = itemsOf(body.recipients)
  const ids = content.map((item) => item.id)
  return [
    ...required(body, '', 'information.title', 'information.name'),
    ...required(body, '', 'information.description'),
    ...(content.length === 0 ? [{ path: 'content', key: 'none' }] : []),
    ...content.flatMap((item, index) => contentProblems(item, `content[${index}].`, ids.indexOf(item.id) < index)),
    ...(recipients.length === 0 ? [{ path: 'recipients', key: 'none' }] : []),
    ...recipients.flatMap((one, index) => [
      ...recipientProblems(one, `recipients[${index}].`, now),
      ...accessProblems(one, `recipients[${index}].`, ids, seeEverything),
    ]),
  ]
}

function contentProblems(item: Item, prefix: string, repeated: boolean): ProblemKey[] {
  const missing = ['id', 'name', 'type'].flatMap((name) => required(item, prefix, name))
  if (isEmpty(item.id)) return missing
  // The id becomes a part of the upload's path, so it must be valid there.
  const unfit = isPathId(String(item.id)) ? [] : [{ path: `${prefix}id`, key: 'id' }]
  return [...missing, ...unfit, ...(repeated ? [{ path: `${prefix}id`, key: 'repeatedId' }] : [])]
}

/**
 * Finds faults in a recipient's access list. The list may have one of two names, and it is unknown which name the
 * service reads. Therefore a list must exist under at least one of the names, and each list that exists must be valid.
 */
function accessProblems(one: Item, prefix: string, ids: unknown[], seeEverything: boolean): ProblemKey[] {
  if (!hasAccessList(one)) return [{ path: `${prefix}uploads`, key: 'missing' }]
  return accessLists(one, prefix).flatMap(({ path, list }) => listProblems(list, path, ids, seeEverything))
}

/**
 * Finds faults in an access list: every id must be registered. An empty list lets the recipient see everything, so it
 * is refused unless `seeEverything` is set.
 */
function listProblems(list: unknown, path: string, ids: unknown[], seeEverything: boolean): ProblemKey[] {
  if (!Array.isArray(list)) return [{ path, key: 'array' }]
  if (list.length === 0 && ids.length > 1 && !seeEverything) return [{ path, key: 'everything' }]
  return (list as unknown[]).flatMap((id, index) =>
    ids.includes(id) ? [] : [{ path: `${path}[${index}]`, key: 'unregistered' }],
  )
}

/** Whether a recipient keeps access for longer than the service usually allows. */
export function hasLongAccess(body: PlainObject, now: number): boolean {
  return itemsOf(body.recipients).some((one) => isLong(one, now))
}
