/**
 * The values that a setting offers. Some come from the setting's own table, others from a list that the service
 * publishes. The list is fetched once each time the form is opened.
 */
import type { CallList, Field, ServiceList } from '../settings/fields'

export interface Offered {
  readonly value: string
  /** A description in words; if there is no description, the value itself. */
  readonly label: string
}

export interface Offers {
  /** Returns the values known so far, without waiting for the service. */
  (field: Field): readonly Offered[]
  /** Resolves with all values when the service has answered or failed. */
  complete(field: Field): Promise<readonly Offered[]>
}

/**
 * Creates the offers of one form. `client` returns the id of the currently chosen client, `rowsOf` the rows of another list
 * of the form.
 */
export function offers(client: () => string, rowsOf: (list: string) => unknown): Offers {
  const lists = new Map<string, readonly Offered[]>()
  const answers = new Map<string, Promise<void>>()
  const ask = (list: ServiceList | CallList): [key: string, answer: Promise<void>] => {
    const key = `${client()}/${list}`
    const take = (found: unknown) => void (Array.isArray(found) && lists.set(key, found.map(offered)))
    // If the client is unknown or the service does not answer, only the values of the table are offered.
    const answer =
      answers.get(key) ??
      new Promise<void>((resolve) => {
        $.getJSON(`eid/suggestions/${key}`)
          .done(take)
          .always(() => resolve())
      })
    answers.set(key, answer)
    return [key, answer]
  }
  const known = (field: Field) => {
    if (field.suggest === 'shareItems') return itemsOfShares()
    if (field.among) return itemsIn(rowsOf(field.among[0]))
    const published = field.suggest ? (lists.get(ask(field.suggest)[0]) ?? []) : []
    const own = (field.suggestions ?? []).map(offered)
    // The table's values come first, so that their order is the same before and after the service has answered.
    const labelled = own.map((one) => published.find(({ value }) => value === one.value) ?? one)
    const all = [...labelled, ...published]
    return all.filter(({ value }, index) => all.findIndex((one) => one.value === value) === index)
  }
  const complete = async (field: Field) => {
    if (field.suggest && field.suggest !== 'shareItems') await ask(field.suggest)[1]
    return known(field)
  }
  return Object.assign(known, { complete })
}

function offered(one: unknown): Offered {
  const { value, label } = (typeof one === 'object' && one !== null ? one : { value: one }) as Partial<Offered>
  return { value: String(value), label: String(label ?? value) }
}

/** The items that the "create share" nodes of this tab register, as far as they are known before a message arrives. */
function itemsOfShares(): readonly Offered[] {
  const here = RED.workspaces.active()
  const found: Offered[] = []
  RED.nodes.eachNode(({ type, z, contentType = 'form', contentRows }) => {
    if (type === 'eid-share-create' && z === here && contentType === 'form') found.push(...itemsIn(contentRows))
  })
  return found
}

function itemsIn(rows: unknown): Offered[] {
  return (Array.isArray(rows) ? (rows as RowData[]) : []).flatMap(({ id, idType = 'str', name }) =>
    idType === 'str' && typeof id === 'string' && id !== ''
      ? [{ value: id, label: name ? `${String(name)} (${id})` : id }]
      : [],
  )
}
