/**
 * The "eID" tab of the editor's sidebar. It polls the server every few seconds while it is visible, and less often
 * otherwise.
 */
import { showBadge } from './browser/badge.editor'
import { createBatches } from './browser/batches.editor'
import { createClients } from './browser/clients.editor'
import { showSentences } from './browser/debug.editor'
import { element } from '../../lib/page/dom'
import { box, icon, inline } from './browser/dom.editor'
import { createDone, donePage } from './browser/done.editor'
import { createContext } from './browser/tab-context.editor'
import { createErrors } from './browser/errors.editor'
import { createResting } from './browser/resting.editor'
import { watchGestures } from './browser/resting-notice.editor'
import type { Part } from './browser/row.editor'
import type { SidebarView } from './view'
import type { PartQuery } from '../../lib/page/view'
import { createWaiting, waitingPage, type WaitingQuery } from './browser/waiting.editor'
import { figure, text } from './browser/words.editor'

const id = 'eid-sidebar'
/** Milliseconds between two polls: while the tab is visible, and while only its badge is. */
const seenMs = 2000
const unseenMs = 15_000
/** The keys under which the browser stores the errors that the user has seen, and the sections that are closed. */
const seenKey = 'eid-sidebar-seen'
const closedKey = 'eid-sidebar-closed'

RED.plugins.registerPlugin(id, {
  type: id,
  onadd() {
    showSentences()
    // Users without the permission to read get no tab, and nothing is requested for them.
    if (!RED.user.hasPermission('eid.read') || RED.sidebar.containsTab(id)) return
    open()
    watchGestures()
  },
})

function open(): void {
  const status = element('div', { class: 'eid-status', role: 'status' })
  const away = element('p', { class: 'eid-said', 'data-outcome': 'bad' }, text('away'))
  away.hidden = true
  const query: ViewQuery = { waiting: { rows: waitingPage, find: '', sort: 'until' }, done: { rows: donePage } }
  let view: SidebarView | undefined
  let skewMs = 0
  const now = () => Date.now() + skewMs
  const tab = createContext(status, now, { refresh: () => void ask(), render: () => render() })
  const sections = [
    section(
      'waiting',
      createWaiting(tab, query.waiting, () => ask()),
    ),
    section('resting', createResting(tab)),
    section(
      'done',
      createDone(tab, query.done, () => ask()),
    ),
    section('troubles', createErrors(tab)),
    section('batches', createBatches(tab)),
    section('clients', createClients(tab)),
  ]
  const content = contentOf(sections, away, status)
  // A button must not be rebuilt while it is being pressed.
  let isHeld = false
  content.addEventListener('pointerdown', () => (isHeld = true))
  addEventListener('pointerup', () => {
    isHeld = false
    setTimeout(render)
  })

  const isSeen = () => !document.hidden && content.getClientRects().length > 0
  const newest = () => Math.max(0, ...(view?.troubles ?? []).map(({ at }) => at))
  const render = () => {
    if (!view) return
    if (isSeen()) RED.settings.setLocal(seenKey, String(newest()))
    const isUnseen = newest() > Number(RED.settings.getLocal(seenKey) ?? 0)
    showBadge(id, { count: view.waiting.count, isAlert: view.waiting.urgent > 0 || isUnseen })
    if (isHeld || !isSeen()) return
    for (const { show } of sections) show(view)
  }

  let timer: number | undefined
  let asked = 0
  const ask = async () => {
    clearTimeout(timer)
    const number = ++asked
    const hasRows = isSeen()
    await fetchView(hasRows ? query : countsAlone)
      .then((answer: SidebarView) => {
        // A later request was sent meanwhile, so this response is ignored.
        if (number !== asked) return
        skewMs = answer.now - Date.now()
        // A response to a request for the counts alone has no rows, so the known rows stay.
        view = hasRows || !view ? answer : withRowsOf(view, answer)
        away.hidden = true
        render()
      })
      .catch(() => void (away.hidden = false))
    if (number === asked) timer = window.setTimeout(() => void ask(), isSeen() ? seenMs : unseenMs)
  }
  document.addEventListener('visibilitychange', () => !document.hidden && void ask())

  const show = () => RED.sidebar.show(id)
  RED.sidebar.addTab({
    id,
    label: text('label'),
    name: text('label'),
    iconClass: 'fa fa-pencil-square-o',
    content,
    pinned: true,
    enableOnEdit: true,
    // The data is requested a moment later, because the tab becomes visible just after this event.
    onchange: () => void setTimeout(() => void ask()),
  })
  // The editor's action list finds this action by the words of its id.
  RED.actions.add('eid:show-eid-tab', show)
  void ask()
}

/** The headings that lead to each section, then the sections. */
function contentOf(sections: readonly ReturnType<typeof section>[], away: HTMLElement, status: HTMLElement) {
  const headings = sections.map(({ jump }) => jump)
  return box(
    'sidebar',
    element('nav', { class: 'eid-overview', 'aria-label': text('label') }, headings),
    away,
    sections.map(({ whole }) => whole),
    status,
  )
}

interface ViewQuery {
  readonly waiting: WaitingQuery
  readonly done: PartQuery
}

const countsAlone: ViewQuery = { waiting: { rows: 0, find: '', sort: 'until' }, done: { rows: 0 } }

/** The latest counts with the existing rows. */
const withRowsOf = (before: SidebarView, latest: SidebarView): SidebarView => ({
  ...latest,
  waiting: { ...latest.waiting, rows: before.waiting.rows, before: before.waiting.before },
  done: { ...latest.done, rows: before.done.rows, before: before.done.before },
})

/** Requests the data of the tab with this many rows; without rows if only the counts are needed. */
async function fetchView({ waiting, done }: ViewQuery): Promise<SidebarView> {
  const { rows, find, sort } = waiting
  // The address is relative, because the editor may be served below a path.
  const answer: unknown = await $.ajax({
    url: 'eid/sidebar',
    data: {
      rows,
      sort,
      done: done.rows,
      lang: text('language'),
      ...(waiting.after && { after: JSON.stringify(waiting.after) }),
      ...(done.after && { doneAfter: JSON.stringify(done.after) }),
    },
    // The search text may be a name, so it is not in the address, which ends up in logs.
    headers: rows > 0 && find !== '' ? { 'X-EID-Find': encodeURIComponent(find) } : {},
    dataType: 'json',
    cache: true,
  })
  return answer as SidebarView
}

/**
 * A section that the user can close, and that stays closed in this browser. `jump` is the button at the top of the tab
 * that leads to the section.
 */
function section(name: string, part: Part) {
  const { body } = part
  const closed = () => String(RED.settings.getLocal(closedKey) ?? '').split(' ')
  const counts = [inline('count'), inline('count')]
  const title = text(`sections.${name}`)
  body.id = `eid-sidebar-${name}`
  body.classList.add('eid-section-body')
  const toggle = element(
    'button',
    { type: 'button', class: 'eid-section-title', 'aria-controls': body.id },
    icon('angle-down'),
    element('span', {}, title),
    counts[0],
  )
  const open = (isOpen: boolean) => {
    body.hidden = !isOpen
    toggle.setAttribute('aria-expanded', String(isOpen))
    const others = closed().filter((one) => one !== name && one !== '')
    RED.settings.setLocal(closedKey, [...others, ...(isOpen ? [] : [name])].join(' '))
  }
  toggle.addEventListener('click', () => open(body.hidden !== false))
  open(!closed().includes(name))
  const whole = element('section', { class: 'eid-section', 'aria-label': title }, element('h3', {}, toggle), body)
  const jump = element('button', { type: 'button', class: 'eid-jump' }, counts[1], element('span', {}, title))
  jump.addEventListener('click', () => {
    open(true)
    toggle.focus({ preventScroll: true })
    // Only the tab is scrolled, because `scrollIntoView` would move the panels around the tab too.
    const tab = jump.closest<HTMLElement>('.eid-sidebar')
    if (tab) tab.scrollTop = whole.offsetTop - (jump.parentElement?.offsetHeight ?? 0)
  })
  return {
    whole,
    jump,
    show(view: SidebarView) {
      const [count, isAlert = false] = part.show(view)
      for (const place of counts) place.textContent = figure(count)
      jump.classList.toggle('eid-alert', isAlert)
    },
  }
}
