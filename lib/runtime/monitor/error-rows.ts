/** Which row of which list a message carries, as the list of errors names it. */
import { maskKey } from '../../api/errors/mask-key'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'

/** The row of a batch that the message carries: "12 (L-2031)". A key can be an e-mail address, which stays out. */
export function rowOf(msg: FlowMessage): string[] {
  const batch = propertyOf(msg, 'batch')
  const row = isPlainObject(batch) ? propertyOf(batch, 'row') : undefined
  if (!isPlainObject(batch) || typeof row !== 'number') return []
  const said = propertyOf(batch, 'key')
  const key = typeof said === 'string' || typeof said === 'number' ? maskKey(String(said)).replace(/…/g, '').trim() : ''
  return [key === '' || key === String(row) ? String(row) : `${row} (${key})`]
}

/** The list whose row the message carries: id of its node and its name. */
export function listOf(msg: FlowMessage): string | undefined {
  const [batch, own] = [propertyOf(msg, 'batch'), propertyOf(msg, '_batch')]
  const name = isPlainObject(batch) ? propertyOf(batch, 'id') : undefined
  const node = isPlainObject(own) ? propertyOf(own, 'node') : undefined
  return typeof name === 'string' && typeof node === 'string' ? `${node}/${name}` : undefined
}
