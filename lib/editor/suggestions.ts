/**
 * The values that a setting offers: its own table's, and the lists that the service publishes, asked for once per
 * opened form.
 */
import type { CallList, Field, ServiceList } from '../settings/fields'

export type Offers = (field: Field) => readonly string[]

/** `client` gives the id of the client that is chosen now. */
export function offers(client: () => string): Offers {
  const lists = new Map<string, readonly string[]>()
  const live = (list: ServiceList | CallList) => {
    const key = `${client()}/${list}`
    if (!lists.has(key)) {
      lists.set(key, [])
      // An unknown client or a service that does not answer leaves the table's own list.
      void $.getJSON(`eid/suggestions/${key}`).then((found: unknown) => {
        if (Array.isArray(found)) lists.set(key, found.map(String))
      })
    }
    return lists.get(key) ?? []
  }
  return (field) => {
    const published = field.suggest ? live(field.suggest) : []
    return [...new Set([...published, ...(field.suggestions ?? [])])]
  }
}
