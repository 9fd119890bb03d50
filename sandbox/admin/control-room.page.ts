/** The control room in the browser: sends its forms as JSON, and keeps the panels up to date. */
import { byId, pageData } from '../pages/shared.page'

interface Problem {
  readonly message?: string
  readonly errors?: readonly { readonly message: string }[]
}

const texts = pageData<{ done: string; noAnswer: string; copied: string }>('texts')
const shown = new Map<string, string>()
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
  const isNumber = control.type === 'number' || control.name === 'advance' || 'number' in control.dataset
  return isNumber ? Number(control.value) : control.value
}

function valuesOf(form: HTMLFormElement, submitter: HTMLElement | null): Record<string, unknown> {
  const controls = Array.from(form.elements) as Control[]
  const filled = controls.filter(({ name, tagName, value }) => name && tagName !== 'BUTTON' && value !== '')
  const pressed = submitter instanceof HTMLButtonElement && submitter.name ? [submitter] : []
  return Object.fromEntries([...filled, ...pressed].map((control) => [control.name, valueOf(control)]))
}

/** What somebody is typing into is left alone. */
function isInUse(body: Element): boolean {
  const active = document.activeElement
  return active !== null && body.contains(active) && active.matches('input, select, textarea')
}

function put(id: string, html: string): void {
  const body = byId(id)?.querySelector('.body')
  if (!body || shown.get(id) === html) return
  const live = body.querySelector('[data-live]')
  if (live) {
    const newPage = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-live]')
    replace(live, newPage?.innerHTML ?? '')
  } else if (isInUse(body)) {
    return
  } else {
    replace(body, html)
  }
  shown.set(id, html)
}

/** What is unfolded stays so, and the focus on the button that was pressed, though they are new ones. */
function replace(body: Element, html: string): void {
  const selector = 'button, a, summary'
  const focused = document.activeElement
    ? Array.from(body.querySelectorAll(selector)).indexOf(document.activeElement)
    : -1
  const open = Array.from(body.querySelectorAll<HTMLElement>('details[open]'), (one) => one.dataset.key)
  body.innerHTML = html
  for (const one of body.querySelectorAll<HTMLDetailsElement>('details')) one.open = open.includes(one.dataset.key)
  if (focused >= 0) body.querySelectorAll<HTMLElement>(selector)[focused]?.focus()
}

/** A table that is too wide is scrolled with the arrow keys, once Tab comes to it. */
function makeScrollable(): void {
  for (const body of document.querySelectorAll<HTMLElement>('.body')) {
    if (body.scrollWidth > body.clientWidth) body.tabIndex = 0
    else body.removeAttribute('tabindex')
  }
}

async function refresh(): Promise<void> {
  try {
    const response = await fetch('/sandbox/panels')
    const panels = (await response.json()) as Record<string, string>
    for (const [id, html] of Object.entries(panels)) put(id, html)
    makeScrollable()
  } catch {
    announce(texts.noAnswer) // It is asked again in two seconds.
  }
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
    () => announce(text), // A browser that does not let pages copy shows at least what to copy.
  )
})
window.addEventListener('resize', makeScrollable)
void refresh()
setInterval(() => {
  if (!document.hidden) void refresh()
}, 2000)
