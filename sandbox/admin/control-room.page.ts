/** The control room in the browser: sends its forms as JSON, and keeps the panels up to date. */
import { morphChildren } from '../pages/morph.page'
import { byId, pageData } from '../pages/shared.page'

interface Problem {
  readonly message?: string
  readonly errors?: readonly { readonly message: string }[]
}

const texts = pageData<{ done: string; noAnswer: string; copied: string }>('texts')
let silence: number | undefined

function announce(text: string): void {
  const said = byId('said')
  if (!said) return
  said.textContent = text
  clearTimeout(silence)
  silence = window.setTimeout(() => (said.textContent = ''), 4000)
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLButtonElement

function valueOf(control: Control): string | number | boolean {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked
  if ('boolean' in control.dataset) return control.value === 'true'
  const isNumber = control.type === 'number' || control.name === 'advance' || 'number' in control.dataset
  return isNumber ? Number(control.value) : control.value
}

function valuesOf(form: HTMLFormElement, submitter: HTMLElement | null): Record<string, unknown> {
  const controls = Array.from(form.elements) as Control[]
  const filled = controls.filter(({ name, tagName, value }) => name && tagName !== 'BUTTON' && value !== '')
  const pressed = submitter instanceof HTMLButtonElement && submitter.name ? [submitter] : []
  return Object.fromEntries([...filled, ...pressed].map((control) => [control.name, valueOf(control)]))
}

/** Shows times in the user's time zone, with the day unless it is the sandbox's current day. */
function showTimes(): void {
  const { lang } = document.documentElement
  const locale = lang === 'en' ? (/^en-[A-Z]{2}$/.exec(navigator.language)?.[0] ?? 'en-GB') : lang
  const [clock, inDay, otherDay] = (
    [
      { dateStyle: 'full', timeStyle: 'medium' },
      { timeStyle: 'medium' },
      { dateStyle: 'medium', timeStyle: 'short' },
    ] as const
  ).map((options) => new Intl.DateTimeFormat(locale, options))
  const now = new Date(byId<HTMLTimeElement>('now')?.dateTime ?? '')
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime)
    const style = time.id === 'now' ? clock : at.toDateString() === now.toDateString() ? inDay : otherDay
    const text = style?.format(at) ?? ''
    if (time.textContent !== text) time.textContent = text
  }
}

/** Makes parts that overflow focusable, so that the arrow keys can scroll them. */
function makeScrollable(): void {
  for (const part of document.querySelectorAll<HTMLElement>('.body, .things, .plain')) {
    const isCut = part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1
    if (isCut) part.tabIndex = 0
    else part.removeAttribute('tabindex')
  }
}

/** The keys of the open rows. */
function openRows(): string[] {
  return Array.from(document.querySelectorAll<HTMLElement>('details[open][data-row]'), (one) => one.dataset.row ?? '')
}

function show(panels: Record<string, string>): void {
  const focused = document.activeElement
  const row = focused?.closest('.things > li')
  for (const [id, html] of Object.entries(panels)) {
    const body = byId(id)?.querySelector('.body')
    const template = document.createElement('template')
    template.innerHTML = html
    if (body) morphChildren(body, template.content)
  }
  showTimes()
  makeScrollable()
  // A browser without a PDF viewer would show empty frames, so they are removed.
  if (!navigator.pdfViewerEnabled) for (const one of document.querySelectorAll('[data-pdf]')) one.remove()
  // If the update removed the focused button, the focus moves to the button's row.
  if (focused && !focused.isConnected && row?.isConnected) row.querySelector('summary')?.focus()
}

let asking = 0

async function refresh(): Promise<void> {
  const mine = (asking += 1)
  const query = new URLSearchParams(openRows().map((key) => ['open', key]))
  const find = byId<HTMLInputElement>('find')?.value ?? ''
  if (find !== '') query.set('find', find)
  const panels = await fetch(`/sandbox/panels?${query.toString()}`)
    .then((response) => response.json() as Promise<Record<string, string>>)
    .catch(() => undefined)
  // A later request was sent meanwhile, so this response is ignored.
  if (mine !== asking) return
  if (panels) show(panels)
  else announce(texts.noAnswer) // The next poll is in a second.
}

async function tell(response: Response): Promise<void> {
  if (response.ok) return announce(texts.done)
  const { message = '', errors = [] } = (await response.json()) as Problem
  announce(errors.map((error) => error.message).join(' ') || message)
}

async function submit(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return
  const body = JSON.stringify(valuesOf(form, submitter))
  const headers = { 'Content-Type': 'application/json' }
  const method = form.dataset.method ?? 'POST'
  const response = await fetch(form.getAttribute('action') ?? '', { method, headers, body })
  await tell(response)
  await refresh()
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-json]')) return
  event.preventDefault()
  submit(form, event.submitter).catch(() => announce(texts.noAnswer))
})
document.addEventListener('click', ({ target }) => {
  const text = target instanceof HTMLElement ? target.dataset.copy : undefined
  if (text === undefined) return
  navigator.clipboard.writeText(text).then(
    () => announce(texts.copied),
    () => announce(text), // If the browser does not allow copying, show the text to copy.
  )
})
// The `toggle` event does not bubble, so the listener is called in the capture phase.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && 'row' in target.dataset) void refresh()
  },
  true,
)
byId('find')?.addEventListener('input', () => void refresh())
window.addEventListener('resize', makeScrollable)
void refresh()
setInterval(() => {
  if (!document.hidden) void refresh()
}, 1000)
