/** Maps that remember only the latest entries. */

/** Sets a value as the latest entry, and removes the oldest if there are more than `most`. */
export function setLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value as Key)
}
