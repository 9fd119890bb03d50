/** The page's script, as it runs in the browser: shows the state, begins the identification, and sends the answer. */
import type { PageData, PageState, PageView } from './page-view'

const byId = (id: string) => document.getElementById(id) as HTMLElement
const data = JSON.parse(byId('data').textContent ?? '') as PageData
const state = byId('state')
const shown = byId('shown')
const actions = byId('actions')

/** Milliseconds between two questions while the service has not answered. */
const pauseMs = 2000
/** How often the page looks for the end of the approval after an answer. */
const maxLooks = 5
let looks = 0

const words = (key: string) => data.texts[key] ?? ''

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  if (className !== '') made.className = className
  return made
}

function addButton(text: string, act: () => Promise<void>, isMain = false): void {
  const made = element('button', text, isMain ? 'main' : '') as HTMLButtonElement
  made.type = 'button'
  made.addEventListener('click', () => {
    for (const one of actions.querySelectorAll('button')) one.disabled = true
    act().catch(failed)
  })
  actions.append(made)
}

/** Calls the server; rejects if there is no answer. */
async function call(address: string, body: object = {}): Promise<PageView> {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status === 429) return { state: 'wait' }
  if (!answer.ok) throw new Error(String(answer.status))
  return (await answer.json()) as PageView
}

const ask = async () => show(await call(data.state))

function failed(): void {
  say(words('unreachable'), true)
  actions.replaceChildren()
  addButton(words('tryAgain'), ask, true)
}

function say(text: string, isProblem = false): void {
  state.textContent = text
  state.className = isProblem ? 'problem' : ''
}

async function begin(): Promise<void> {
  const view = await call(data.start)
  if (view.url === undefined) return show(view)
  location.assign(view.url)
}

/** The states in which the person can identify. */
const beginning: readonly PageState[] = ['start', 'wait', 'again', 'elsewhere', 'unclear', 'stranger']
/** The states that tell a person that something did not work. */
const problems: readonly PageState[] = ['wait', 'again', 'elsewhere', 'unclear', 'stranger', 'proposer', 'late', 'gone']

function show(view: PageView): void {
  const { state: now, providers = [] } = view
  shown.replaceChildren()
  actions.replaceChildren()
  say(words(`states.${now}`).replace('__providers__', providers.map(providerName).join(', ')), problems.includes(now))
  if (now === 'identified') showDetails(view)
  else if (beginning.includes(now)) addButton(words(now === 'start' ? 'identify' : 'identifyAgain'), begin, true)
  // The end of the approval follows within seconds, unless further people have to answer.
  const isEnding = now === 'answered' && ++looks <= maxLooks
  if (now === 'checking' || isEnding) window.setTimeout(() => void ask().catch(failed), pauseMs)
}

const providerName = (provider: string) => words(`providers.${provider}`) || provider

function showDetails({ shown: what }: PageView): void {
  if (!what) return
  say(words('states.identified').replace('__name__', what.name))
  const list = document.createElement('dl')
  const line = (label: string, text: string, className = '') => {
    const pair = document.createElement('div')
    pair.append(element('dt', label), element('dd', text, className))
    list.append(pair)
  }
  for (const { label, text } of what.details) line(label, text)
  line(words('proposedBy'), what.proposer || words('noName'))
  if (what.approved.length > 0) line(words('approvedBy'), what.approved.join(', '))
  line(words('digest'), what.digest, 'digest')
  shown.append(list)
  addButton(words('approve'), () => answer({ answer: 'approve' }), true)
  addButton(words('reject'), () => Promise.resolve(askReason()))
}

function askReason(): void {
  actions.replaceChildren()
  const label = element('label', words('reason')) as HTMLLabelElement
  label.htmlFor = 'reason'
  const reason = document.createElement('textarea')
  reason.id = 'reason'
  reason.maxLength = 1000
  actions.append(label, reason)
  addButton(words('reject'), () => answer({ answer: 'reject', reason: reason.value }), true)
  addButton(words('back'), ask)
  reason.focus()
}

async function answer(said: object): Promise<void> {
  show(await call(data.answer, said))
  state.focus()
}

// A page that the browser brings back from its memory may be out of date.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) ask().catch(failed)
})
if (data.first === undefined) ask().catch(failed)
else show({ state: data.first })
