/**
 * Describes the state of a share in a few words, because the service has no status for shares (`docs/interface.md`
 * 2.3).
 */
import { itemsOf } from '../../lib/runtime/service/recipient-checks'
import { getPath } from '../../lib/runtime/values/read-text'

interface Standing {
  /** Key of the node's status text. */
  readonly key: 'isDeleted' | 'waitsForFiles' | 'isDone' | 'isOpen'
  /** How many of the share's files have been uploaded, or how many recipients have fetched everything. */
  readonly done: number
  readonly count: number
}

export function standingOf(share: unknown): Standing {
  const content = itemsOf(getPath(share, 'content'))
  const recipients = itemsOf(getPath(share, 'recipients'))
  const fetched = { done: recipients.filter(hasFetched).length, count: recipients.length }
  const uploaded = Number(getPath(share, 'uploadedDocuments'))
  if (getPath(share, 'deleted') === true) return { key: 'isDeleted', ...fetched }
  if (uploaded < content.length) return { key: 'waitsForFiles', done: uploaded, count: content.length }
  return { key: getPath(share, 'done') === true ? 'isDone' : 'isOpen', ...fetched }
}

/** Whether a recipient has opened everything that they may see. */
export function hasFetched(recipient: unknown): boolean {
  const content = itemsOf(getPath(recipient, 'content'))
  return content.length > 0 && content.every(({ opened }) => opened === true)
}
