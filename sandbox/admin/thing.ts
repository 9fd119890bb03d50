/** The rows of the control room. Each row shows one object, with its state as a word and a color, and can be opened. */
import { escape } from '../pages/html'
import { copyButton, timeOf } from '../pages/parts'
import type { View } from './panel-type'
import { statePill } from './states'

/** Maximum rows of a panel. */
const MAX_SHOWN = 30

export interface Thing {
  /** Identifies the row on the whole page, such as `document-` and the id. */
  readonly key: string
  /** The time of the event that the row shows, in ISO 8601. */
  readonly at?: string
  readonly title: string
  /** Notes beside the title, such as who is next. */
  readonly notes?: readonly string[]
  readonly state?: string
  /** When the object was created, in ISO 8601. The time distinguishes objects with the same name. */
  readonly created?: string
  /** HTML shown whether the row is open or not. */
  readonly below?: string
  /** HTML built only when the row is open. */
  readonly inside: () => string
}

/**
 * The rows of the latest objects, newest first. `show` builds the row of an object; `none` is the text for an empty
 * list. `count` is the total number of objects, if `all` contains only the latest of them.
 */
export function thingList<Item>(
  all: Iterable<Item>,
  view: View,
  none: string,
  show: (item: Item, view: View) => Thing,
  count?: number,
): string {
  const { texts, find } = view
  const items = [...all]
  const things: Thing[] = []
  for (let index = items.length - 1; index >= 0 && things.length < MAX_SHOWN; index--) {
    const thing = show(items[index] as Item, view)
    if (find === '' || textOf(thing).includes(find)) things.push(thing)
  }
  if (things.length === 0) return `<p class="quiet">${escape(items.length > 0 ? texts.notFound : none)}</p>`
  const isCut = find === '' && items.length > MAX_SHOWN
  const more = isCut ? `<p class="quiet">${escape(texts.latest(MAX_SHOWN, count ?? items.length))}</p>` : ''
  return `${more}<ul class="things">${things.map((one) => row(one, view)).join('')}</ul>`
}

/** The text of a row in which the search looks: id, title, notes and people. */
function textOf({ key, title, notes = [], below = '' }: Thing): string {
  return [key, title, ...notes, below.replace(/<[^<>]*>/g, ' ')].join(' ').toLowerCase()
}

function row({ key, at, title, notes = [], state, created, below = '', inside }: Thing, view: View): string {
  const name = escape(key)
  const said = notes.filter(Boolean).map((note) => ` <span class="quiet">${escape(note)}</span>`)
  if (created !== undefined) said.unshift(` <span class="quiet">${timeOf(created)}</span>`)
  const time = at === undefined ? '' : `${timeOf(at)} `
  const pill = state === undefined ? '' : ` ${statePill(state, view.language)}`
  // The details come after the actions, so that the actions stay in place when the row opens.
  return `<li data-key="${name}"><details data-row="${name}"><summary>${time}<strong>${escape(title)}</strong>${pill}${said.join('')}</summary></details>${below}
<div class="inside">${view.open.has(key) ? inside() : ''}</div></li>`
}

/** The id that flows use for an object, with a button to copy it. */
export function idOf(name: string, id: string, { texts }: View): string {
  return `<p>${escape(name)} <code>${escape(id)}</code> ${copyButton(id, texts)}</p>`
}

/** The details of an object: names and finished HTML; empty values are left out. */
export function factsOf(facts: readonly (readonly [string, string])[]): string {
  const known = facts.filter(([, html]) => html !== '')
  if (known.length === 0) return ''
  return `<dl class="facts">${known.map(([name, html]) => `<dt>${escape(name)}</dt><dd>${html}</dd>`).join('')}</dl>`
}
