/** Maps that remember a bounded number of things, of more the latest. */

/** Puts a value into the map as the latest, and removes the oldest when there are more than `most`. */
export function setLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value as Key)
}
