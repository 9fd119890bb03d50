/**
 * The page's script, as it runs in the browser: polls for the rows every few seconds, shows them, and sends presses of
 * buttons.
 */
import { browserLanguage } from '../../lib/common/browser-language'
import { createRowList, type PressButton } from './pages/row-list.page'
import { element } from '../../lib/page/dom'
import { button } from './pages/dom.page'
import { createWords } from './pages/words.page'
import { placeOf, queryHeader, sections } from './view'
import type { OverviewQuery, OverviewView, PageData, PressAnswer, Section, TurnQuery } from './view'

const paceMs = 5000
/** Milliseconds after the last keystroke before the search starts. */
const typingMs = 250

const data = JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData
const words = createWords({ ...data, language: browserLanguage(navigator.languages, data.language) })
const { text } = words
// The address may end in a slash.
const base = location.pathname.replace(/\/+$/, '')

const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
let query: OverviewQuery = { section: sectionInAddress(), find: '', kind: '', flow: '', zone }
const firstPage: TurnQuery = { after: undefined, before: undefined }
let latest: OverviewView | undefined
let asking = 0

const links = Object.fromEntries(
  sections.map((one) => [one, element('a', { href: `#${one}` }, text(`sections.${one}`))]),
) as Record<Section, HTMLAnchorElement>
const search = element('input', { type: 'search', id: 'find', autocomplete: 'off' })
const kinds = element('select', { id: 'kind' })
const flows = element('select', { id: 'flow' })
const state = element('p', { role: 'status', class: 'soft' })
const problem = element('p', { role: 'alert', class: 'problem' })
const rows = createRowList(words, press)
const back = button(text('previous'), () => turn('before', 0))
const on = button(text('next'), () => turn('after', -1))
const pageNumber = element('span', { class: 'soft' })
const pages = element('nav', { class: 'pages', 'aria-label': text('pages') }, back, pageNumber, on)
const file = button(text('file'), () => void saveFile())

function sectionInAddress(): Section {
  return sections.find((one) => `#${one}` === location.hash) ?? 'waiting'
}

function headers(): Record<string, string> {
  return { [queryHeader]: encodeURIComponent(JSON.stringify(query)) }
}

/** Polls at once. If several responses arrive, only the response to the latest query is shown. */
async function ask(): Promise<void> {
  const number = ++asking
  try {
    const answer = await fetch(`${base}/rows`, { headers: headers() })
    if (number !== asking) return
    if (!answer.ok) throw new Error()
    const view = (await answer.json()) as OverviewView
    if (number !== asking) return
    show(view)
    problem.textContent = view.failures.join(' ')
  } catch {
    if (number === asking) problem.textContent = text('away')
  }
}

function show(view: OverviewView): void {
  latest = view
  const { counts, found, page, pages: all } = view
  for (const one of sections) {
    const link = links[one]
    const count = words.figure(counts[one])
    link.replaceChildren(`${text(`sections.${one}`)} `, element('span', { class: 'count' }, `(${count})`))
    if (one === query.section) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  // On the first page, the position is dropped, so that new rows before it are shown too.
  if (page === 0) query = { ...query, ...firstPage }
  options(kinds, text('allKinds'), view.kinds, query.kind, (kind) => text(`kinds.${kind}`))
  options(flows, text('allFlows'), view.flows, query.flow, (flow) => flow)
  setText(state, found === 0 ? text(`none.${query.section}`) : text('found', { count: words.figure(found) }))
  setText(pageNumber, text('page', { page: words.figure(page + 1), pages: words.figure(all) }))
  pages.hidden = all === 1
  end(back, page === 0, on)
  end(on, page >= all - 1, back)
  file.disabled = found === 0
  rows.show(view)
  setText(updated, text('updated', { at: words.time(view.now) }))
}

/** Disables a button at the first or last page. If the button has the keyboard focus, the focus moves to `other`. */
function end(one: HTMLButtonElement, isAtEnd: boolean, other: HTMLButtonElement): void {
  const hasFocus = document.activeElement === one
  one.disabled = isAtEnd
  if (!isAtEnd || !hasFocus) return
  other.disabled = false
  other.focus()
}

/** Changes a text only if it is different, because screen readers announce every change. */
function setText(place: HTMLElement, words: string): void {
  if (place.textContent !== words) place.textContent = words
}

function options(
  select: HTMLSelectElement,
  all: string,
  values: readonly string[],
  chosen: string,
  label: (value: string) => string,
): void {
  const shown = [...new Set([...values, ...(chosen === '' ? [] : [chosen])])]
  const parent = select.parentElement
  if (parent) parent.hidden = shown.length < 2 && chosen === ''
  if (select.dataset.values === JSON.stringify(shown)) return
  select.dataset.values = JSON.stringify(shown)
  select.replaceChildren(
    element('option', { value: '' }, all),
    ...shown.map((value) => element('option', { value }, label(value))),
  )
  select.value = chosen
}

/** Requests the rows after the last row shown, or those before the first row shown. */
function turn(to: 'after' | 'before', from: 0 | -1): void {
  const row = latest?.rows.at(from)
  if (row) query = { ...query, ...firstPage, [to]: placeOf(row) }
  void ask().then(() => state.scrollIntoView({ block: 'nearest' }))
}

async function press(body: Parameters<PressButton>[0]) {
  try {
    const answer = await fetch(`${base}/press`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) return { ok: false, text: text('failed') }
    return (await answer.json()) as PressAnswer
  } catch {
    return { ok: false, text: text('failed') }
  } finally {
    void ask()
  }
}

async function saveFile(): Promise<void> {
  try {
    const answer = await fetch(`${base}/rows.csv`, { headers: headers() })
    if (!answer.ok) throw new Error()
    const address = URL.createObjectURL(await answer.blob())
    const name = `${text(`sections.${query.section}`)} ${new Date(latest?.now ?? 0).toLocaleDateString('sv')}.csv`
    const link = element('a', { href: address, download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  } catch {
    problem.textContent = text('failed')
  }
}

/** Changes the query and shows the first page of its result. */
function change(changed: Partial<OverviewQuery>): void {
  query = { ...query, ...firstPage, ...changed }
  void ask()
}

function labeled(words: string, input: HTMLElement, isWide = false): HTMLElement {
  return element('div', isWide ? { class: 'wide' } : {}, element('label', { for: input.id }, words), input)
}

const updated = document.getElementById('updated') as HTMLElement
document
  .getElementById('app')
  ?.replaceChildren(
    element(
      'nav',
      { 'aria-label': text('title') },
      element('ul', {}, ...sections.map((one) => element('li', {}, links[one]))),
    ),
    element(
      'div',
      { class: 'tools', role: 'search' },
      labeled(text('find'), search, true),
      labeled(text('kind'), kinds),
      labeled(text('flow'), flows),
      file,
    ),
    problem,
    state,
    rows.list,
    pages,
  )

let typing: number | undefined
search.addEventListener('input', () => {
  window.clearTimeout(typing)
  typing = window.setTimeout(() => change({ find: search.value }), typingMs)
})
kinds.addEventListener('change', () => change({ kind: kinds.value }))
flows.addEventListener('change', () => change({ flow: flows.value }))
window.addEventListener('hashchange', () => change({ section: sectionInAddress(), kind: '', flow: '' }))
window.setInterval(() => {
  if (!document.hidden) void ask()
}, paceMs)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void ask()
})
void ask()
