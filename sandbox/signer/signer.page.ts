/** The signer app in the browser: calls the server, posts the web messages, and shows the result. */
import { byId, pageData } from '../pages/shared.page'
import type { WebMessage } from './messages'
import type { SignerPageData } from './view'

interface Result {
  readonly ok: boolean
  readonly status?: number
  readonly redirect?: string
  readonly message?: string
  readonly messages?: readonly WebMessage[]
}

const data = pageData<SignerPageData>('data')
const { texts } = data

/**
 * The origin to which messages are posted. A host without a port gets the port from which the framing page was loaded.
 */
function targetOrigin(): string | undefined {
  const { receiver } = data
  if (!receiver) return undefined
  const known = [...Array.from(window.location.ancestorOrigins ?? []), window.location.hash.slice(1), document.referrer]
  const fitting = known.find((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    return url?.protocol === 'http:' && receiver.host !== '' && url.hostname === receiver.host
  })
  return fitting === undefined ? receiver.origin : new URL(fitting).origin
}

function post(message: WebMessage): void {
  const target = targetOrigin()
  if (target && window.parent !== window) window.parent.postMessage(JSON.stringify(message), target)
}

function postAll(messages: readonly WebMessage[] = []): void {
  messages.forEach(post)
}

async function send(action: string, body: object = {}): Promise<Result> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const response = await fetch(`${data.path}/${action}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as Omit<Result, 'ok' | 'status'>
  return { ...answer, ok: response.ok, status: response.status }
}

async function ask(action: string, body?: object): Promise<Result> {
  try {
    const result = await send(action, body)
    postAll(result.messages)
    return result
  } catch {
    return { ok: false } // No response: the page says that something went wrong.
  }
}

/** Performs an action and shows the spinner meanwhile; the spinner stops before the result is announced. */
async function work(action: string, body?: object): Promise<Result> {
  spin(true)
  const result = await send(action, body).catch((): Result => ({ ok: false }))
  spin(false)
  postAll(result.messages)
  return result
}

function showMessage(text: string, bad = false): void {
  const state = byId('state')
  if (!state) return
  state.className = bad ? 'card bad' : 'card'
  state.textContent = text
}

function finish(text: string, { redirect }: Result): void {
  byId('signing')?.remove()
  showMessage(text)
  if (redirect) window.location.assign(redirect)
}

function spin(on: boolean): void {
  const spinner = byId('spinner')
  if (spinner) spinner.hidden = !on
  post({ type: on ? 'spinner_on' : 'spinner_off' })
}

function showProblem({ status, message }: Result): void {
  showMessage(status === 401 ? texts.ended : (message ?? texts.failed), true)
}

/** Shows a dialog, and returns whether the person continued. A dialog that the sender did not set is skipped. */
function show(id: string): Promise<boolean> {
  const dialog = byId<HTMLDialogElement>(id)
  if (!dialog) return Promise.resolve(true)
  return new Promise((resolve) => {
    dialog.returnValue = ''
    const closed = () => {
      // The dialog has been opened again: this is the late event of an earlier closing.
      if (dialog.open) return
      dialog.removeEventListener('close', closed)
      resolve(dialog.returnValue === 'yes')
    }
    dialog.addEventListener('close', closed)
    dialog.showModal()
  })
}

function chosenMethod(): string | undefined {
  return document.querySelector<HTMLInputElement>('input[name=method]:checked')?.value
}

/** The values of the sender's fields, by key. */
function filledIn(): Record<string, string | boolean> {
  const fields = document.querySelectorAll<HTMLInputElement>('[data-field]')
  const valueOf = ({ type, checked, value }: HTMLInputElement) => (type === 'checkbox' ? checked : value)
  return Object.fromEntries(Array.from(fields, (field) => [field.dataset.field ?? '', valueOf(field)]))
}

let announced: string | undefined

/** Reports the chosen method to the server once, and returns whether the app may continue. */
async function announce(method: string | undefined): Promise<boolean> {
  if (!method || method === announced) return true
  const result = await ask('method', { value: method })
  if (result.ok) announced = method
  else showProblem(result)
  return result.ok
}

async function sign(): Promise<void> {
  if (!(await announce(chosenMethod())) || !(await show('before'))) return
  const result = await work('sign', { method: chosenMethod(), formFields: filledIn() })
  if (!result.ok) return showProblem(result)
  await show('after')
  finish(texts.signed, result)
}

async function leave(): Promise<void> {
  const result = await ask('cancel')
  if (result.ok) finish(texts.canceled, result)
  else showProblem(result)
}

async function fail(): Promise<void> {
  const result = await work('fail')
  if (!result.ok) return showProblem(result)
  showMessage(texts.failed, true)
  if (result.redirect) window.location.assign(result.redirect)
}

/**
 * Loads the viewer. Only a document shown in the app's own viewer counts as read, and only by a person who can sign.
 */
function watchViewer(canSign: boolean): void {
  const viewer = byId('viewer')
  if (!viewer) return
  const read = () => {
    if (canSign && !data.again) void ask('read')
  }
  if (!(viewer instanceof HTMLIFrameElement)) return read()
  if (!navigator.pdfViewerEnabled) return viewer.remove()
  viewer.addEventListener('load', read, { once: true })
  viewer.src = viewer.dataset.src ?? ''
}

/** Renews the session while the signer is active, at most once a minute. */
function keepAlive(): void {
  let last = Date.now()
  const renew = async () => {
    if (Date.now() - last < 60_000) return
    last = Date.now()
    const result = await ask('renew')
    if (!result.ok) showProblem(result)
  }
  for (const type of ['pointerdown', 'keydown', 'scroll']) {
    window.addEventListener(type, () => void renew(), { passive: true })
  }
}

async function changeLanguage(value: string): Promise<void> {
  await ask('language', { value })
  const query = new URLSearchParams({ jwt: data.token, lang: value, again: '1' })
  window.location.replace(`/sign/start?${query.toString()}#${targetOrigin() ?? ''}`)
}

byId<HTMLSelectElement>('language')?.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement) void changeLanguage(target.value)
})
postAll(data.messages)
const form = byId('signing')
watchViewer(form !== undefined)
form?.addEventListener('submit', (event) => {
  event.preventDefault()
  const id = event.submitter?.id ?? 'sign'
  void (id === 'cancel' ? leave() : id === 'fail' ? fail() : sign())
})
form?.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'method') void announce(target.value)
})
if (form) keepAlive()
