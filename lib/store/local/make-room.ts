/** Decides which items are dropped to make room for a new one. */
import { configError } from '../../api/errors/errors'
import { defaultLimits, type Limits } from '../store'
import type { Entry } from './entry'
import { itemBytes, type ItemIndex } from './item-index'

/**
 * Returns the items that must be dropped to make room for `entry`: the oldest items that are not work. If `replaced` is
 * given, `entry` takes its place. Throws EID_CONFIG if dropping all items that are not work would not make enough room.
 */
export function forgottenFor(
  index: ItemIndex,
  { maxItems = defaultLimits.maxItems, maxBytes = defaultLimits.maxBytes }: Limits,
  entry: Entry,
  replaced: Entry | undefined,
): Entry[] {
  let items = (replaced ? 0 : 1) + index.size - maxItems
  let bytes = weightOf(entry) - (replaced ? weightOf(replaced) : 0) + index.bytes - maxBytes
  if (items <= 0 && bytes <= 0) return []
  const more = { items: items - index.size, bytes: bytes - index.bytes }
  if (index.workSize + more.items > 0 || index.workBytes + more.bytes > 0) throw configError('storeFull')
  const forgotten: Entry[] = []
  for (const oldest of index.plain()) {
    if (items <= 0 && bytes <= 0) break
    if (oldest === replaced) continue
    forgotten.push(oldest)
    items--
    bytes -= weightOf(oldest)
  }
  return forgotten
}

function weightOf({ bytes }: Entry): number {
  return bytes + itemBytes
}
