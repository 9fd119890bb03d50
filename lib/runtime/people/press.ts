/**
 * The actions of the buttons on pending waits, in the sidebar and on the overview page. An action runs only for a
 * pending wait that offers it, and repeated presses of its button run it once.
 */
import type { Answer } from '../../api/call/call'
import { findClient } from '../node-red/client-node'
import type { Runtime } from '../node-red/node-red'
import { createSharedAnswers } from '../http/shared-answers'
import { askNow, findPending, stopWaiting, type PendingItem } from '../monitor/pending'
import { cancelPressed } from '../service/press-cancel'
import { remindPressed } from '../service/press-reminder'
import type { Reminded } from '../service/reminder'
import type { WaitingAction } from '../../page/view'
import { failed, gone, type Told } from './told'
import { actionsFor } from './waits'

export interface Press {
  readonly action: WaitingAction
  /** The id of the wait, as in the list. */
  readonly wait: string
  /** The reason for canceling, which the signers get; may be empty. */
  readonly reason: string
  /** The name of the user who pressed the button; empty if there is no login. */
  readonly by: string
  /** Whether the user knows about today's reminder, and wants another one. */
  readonly again: boolean
}

interface Actions {
  /** Never rejects. */
  press(press: Press): Promise<Told>
  /** The document as the signers got it, as a stream. Rejects with an EidError. */
  file(item: PendingItem): Promise<Answer>
}

/**
 * Within these milliseconds, another press of the same button gets the first answer, even if another user presses it.
 */
const repeatMs = 10_000

/** Actions that concern the document, which several waits may have. */
const ofDocument: readonly WaitingAction[] = ['download', 'cancel']

/**
 * Actions that end a wait. Their answer is kept for a second press, because the wait no longer exists then. Other
 * actions look the wait up at each press, because their answer depends on its current state.
 */
const ending: readonly WaitingAction[] = ['stopWaiting', 'withdraw', 'cancel']

export function createActions(RED: Runtime): Actions {
  const once = createSharedAnswers<Told>(repeatMs)
  const run = (press: Press): Promise<Told> =>
    findPending(RED, press.wait).then((item) => (item ? runFor(item, press) : gone), failed)
  const runFor = async (item: PendingItem, press: Press): Promise<Told> => {
    const { action } = press
    // There is no button for such an action, but a request can contain anything.
    if (!actionsFor(item).includes(action)) return notFor(item)
    if (action === 'remind') return remindPressed(RED, item, press).then(toldOf, failed)
    if (!ofDocument.includes(action)) return act(item, press)
    // Several waits may have the same document, so they share the answer.
    return once(JSON.stringify([action, item.client, item.id]), () => act(item, press))
  }
  const act = async (item: PendingItem, { action, reason, by }: Press): Promise<Told> => {
    try {
      if (action === 'link') return { ok: true, links: item.waitingFor.map(({ name, url }) => ({ name, url })) }
      if (action === 'askNow') await findClient(RED, item.client).connect()
      if (action === 'askNow') return there(await askNow(RED, item.wait))
      if (action === 'stopWaiting' || action === 'withdraw') return there(await stopWaiting(RED, item.wait, by))
      if (action === 'cancel') await cancelPressed(RED, item, reason)
      return { ok: true }
    } catch (thrown) {
      return failed(thrown)
    }
  }
  const there = (found: boolean): Told => (found ? { ok: true } : gone)

  return {
    press: (press) =>
      ending.includes(press.action) ? once(`${press.action} ${press.wait}`, () => run(press)) : run(press),
    async file({ client, id }) {
      const api = await findClient(RED, client).connect()
      return api.send('getDocumentFile', { id, query: { fileFormat: 'unsigned' }, as: 'stream' })
    },
  }
}

/** The result of a press of *Remind*. */
function toldOf(found: Reminded): Told {
  if (found.state === 'sent') return { ok: true, channel: found.channel }
  if (found.state === 'noAddress') return { ok: false, say: (translate) => translate('noAddress') }
  if (found.state === 'notOpen') return { ok: false, say: (translate) => translate('notOpen') }
  if (found.state === 'earlier') return { ok: true, earlier: { at: found.at, by: found.by, isSure: found.isSure } }
  return found.state === 'gone' ? gone : { ok: false, say: (translate) => translate('hasEnded') }
}

function notFor({ kind, service }: PendingItem): Told {
  if (service !== undefined) return { ok: false, say: (translate) => translate('elsewhere', { service }) }
  return { ok: false, say: (translate) => translate('documentsOnly', { kind: `@kinds.${kind}` }) }
}
