/** The checkboxes of the waiting rows, and the button that reminds the signers of all selected documents. */
import { element } from '../../../lib/page/dom'
import { box, button, inline } from './dom.editor'
import { post, type TabContext } from './tab-context.editor'
import { maxReminded, type RemindedAnswer, type RemindedCounts, type WaitingRow } from '../view'
import { figure, text } from './words.editor'

/** If the list has fewer rows than this, they have no checkboxes. */
const severalRows = 2
/** A result stays for these milliseconds, so that it can be read: reminding may itself end rows of the list. */
const readMs = 10_000
/** After these milliseconds, a result is removed even if the list has not changed. */
const keptMs = 300_000

export function createSelection(tab: TabContext) {
  let shown: readonly WaitingRow[] = []
  let progress: string | undefined
  /** When the result was shown, and the list below it at that time. */
  let saidAt = 0
  let saidFor = ''
  const isOn = () => tab.mayWrite && shown.length >= severalRows
  const selected = () => shown.filter(({ wait }) => tab.rowState(wait).isSelected)
  const all = element('input', { type: 'checkbox', 'data-key': 'select-all' })
  const allText = element('span', {})
  all.addEventListener('change', () => {
    for (const { wait } of shown) tab.rowState(wait).isSelected = all.checked
    tab.update()
  })
  const remind = button({ key: 'remind-selected', icon: 'bell-o', text: '' }, () => void start())
  const said = element('p', { class: 'eid-said' })
  const controls = [element('label', { class: 'eid-select' }, all, allText), box('buttons', remind)]
  const bar = element(
    'div',
    { class: 'eid-selection', role: 'group', 'aria-label': text('select.label') },
    controls,
    said,
  )
  const draw = () => {
    const count = selected().length
    const list = shown.map(({ wait }) => wait).join()
    const age = Date.now() - saidAt
    if (age < readMs) saidFor = list
    else if (age > keptMs || list !== saidFor) said.textContent = ''
    for (const one of controls) one.hidden = !isOn()
    bar.hidden = !isOn() && said.textContent === ''
    all.checked = count > 0 && count === shown.length
    all.indeterminate = count > 0 && count < shown.length
    allText.textContent = `${text('select.all')} (${figure(shown.length)})`
    remind.querySelector('span')?.replaceChildren(progress ?? `${text('select.remind')} (${figure(count)})`)
    remind.disabled = count === 0 || progress !== undefined
  }
  const say = (words: string, isGood: boolean) => {
    said.textContent = words
    said.dataset.outcome = isGood ? 'good' : 'bad'
    saidAt = Date.now()
    tab.announce(words)
  }

  const start = async () => {
    const rows = selected()
    say('', true)
    const result = await remindEach(rows, (count, total) => {
      progress = text('select.progress', { count: figure(count), total: figure(total) })
      tab.update()
    })
    progress = undefined
    for (const { wait } of rows.filter((row) => !result.left.has(documentOf(row))))
      tab.rowState(wait).isSelected = false
    say(wordsFor(result), result.left.size === 0 && !result.counts.failed && !result.counts.unsure)
    tab.update()
    tab.refresh()
  }
  return {
    bar,
    isOn,
    /** Takes over the rows of the list; the caller redraws them afterwards. */
    show(rows: readonly WaitingRow[]) {
      shown = rows
      draw()
    },
    /** The checkbox of a row, with its title. */
    field({ wait }: WaitingRow, title: string): HTMLElement {
      const box = element('input', {
        type: 'checkbox',
        'data-key': 'select',
        'aria-label': text('select.row', { title }),
        checked: tab.rowState(wait).isSelected === true,
      })
      box.addEventListener('change', () => {
        tab.rowState(wait).isSelected = box.checked
        tab.update()
      })
      return element('label', { class: 'eid-select' }, box, inline('title', title))
    },
  }
}

/** Identifies the document of a row, because several rows may wait for the same document. */
const documentOf = ({ client, kind, id }: WaitingRow) => JSON.stringify([client, kind, id])

interface Result {
  readonly counts: RemindedCounts
  readonly reasons: readonly string[]
  /** The documents for which the server gave no answer. */
  readonly left: ReadonlySet<string>
}

/** Reminds the signers of each document once, with several documents in each request. */
async function remindEach(rows: readonly WaitingRow[], began: (count: number, total: number) => void): Promise<Result> {
  const waits = new Map(rows.map((row) => [documentOf(row), row.wait]))
  const documents = [...waits.keys()]
  const counts: Partial<Record<keyof RemindedCounts, number>> = {}
  const reasons = new Set<string>()
  for (let done = 0; done < documents.length; done += maxReminded) {
    began(done, documents.length)
    const part = documents.slice(done, done + maxReminded).map((one) => waits.get(one) ?? '')
    const answer = await remindPart(part)
    if (!answer?.ok) return { counts, reasons: [...reasons], left: new Set(documents.slice(done)) }
    for (const [name, count] of Object.entries(answer.counts ?? {}) as [keyof RemindedCounts, number][]) {
      counts[name] = (counts[name] ?? 0) + count
    }
    for (const reason of answer.reasons ?? []) reasons.add(reason)
  }
  return { counts, reasons: [...reasons], left: new Set() }
}

/** Sends one request; undefined if the server can't be reached or refuses the request. */
async function remindPart(waits: readonly string[]): Promise<RemindedAnswer | undefined> {
  try {
    return (await post('remind', { waits })) as RemindedAnswer
  } catch {
    return undefined
  }
}

const others = ['earlier', 'unsure', 'ended', 'gone', 'otherKind', 'elsewhere', 'noAddress', 'failed'] as const

/** The result in words: "Reminded 12. 3 were reminded earlier today." */
function wordsFor({ counts, reasons, left }: Result): string {
  const { reminded = 0 } = counts
  const first = reminded > 0 ? text('select.reminded', { count: figure(reminded) }) : text('select.nobody')
  const rest = others.map((name) => {
    const count = counts[name] ?? 0
    const words = count === 1 ? text(`select.one.${name}`) : text(`select.many.${name}`, { count: figure(count) })
    return count > 0 && words
  })
  const broken = left.size > 0 && text('select.broken', { count: figure(left.size) })
  return [first, ...rest, ...reasons, broken].filter(Boolean).join(' ')
}
