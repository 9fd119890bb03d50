/**
 * The values that a setting offers: its own table's, and the lists that the service publishes, asked for once per
 * opened form.
 */
import type { CallList, Field, ServiceList } from '../settings/fields'

export interface Offered {
  readonly value: string
  /** What it is, in words; the value itself where there is nothing to say. */
  readonly label: string
}

export type Offers = (field: Field) => readonly Offered[]

/** `client` gives the id of the client that is chosen now. */
export function offers(client: () => string): Offers {
  const lists = new Map<string, readonly Offered[]>()
  const live = (list: ServiceList | CallList) => {
    const key = `${client()}/${list}`
    if (!lists.has(key)) {
      lists.set(key, [])
      // An unknown client or a service that does not answer leaves the table's own list.
      void $.getJSON(`eid/suggestions/${key}`).then((found: unknown) => {
        if (Array.isArray(found)) lists.set(key, found.map(offered))
      })
    }
    return lists.get(key) ?? []
  }
  return (field) => {
    const published = field.suggest ? live(field.suggest) : []
    const own = (field.suggestions ?? []).map(offered)
    // The table's come first, so that their order is the same before and after the service has answered.
    const labelled = own.map((one) => published.find(({ value }) => value === one.value) ?? one)
    const all = [...labelled, ...published]
    return all.filter(({ value }, index) => all.findIndex((one) => one.value === value) === index)
  }
}

function offered(one: unknown): Offered {
  const { value, label } = (typeof one === 'object' && one !== null ? one : { value: one }) as Partial<Offered>
  return { value: String(value), label: String(label ?? value) }
}
