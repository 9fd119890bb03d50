/** The actions of the buttons in "Waiting": only for pending waits, and once however often a button is pressed. */
import type { ApiClient } from '../../../lib/api/client'
import type { Answer } from '../../../lib/api/call/call'
import { findClient } from '../../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { createSharedAnswers } from '../../../lib/runtime/http/shared-answers'
import { askNow, findPending, stopWaiting, type PendingItem } from '../../../lib/runtime/monitor/pending'
import { remind } from '../../../lib/runtime/service/reminder'
import type { WaitingAction } from '../view'
import { failed, gone, type Told } from './told'
import { actionsFor } from './waiting'

export interface Press {
  readonly action: WaitingAction
  /** The id of the wait, as in the list. */
  readonly wait: string
  /** The reason for canceling, for the signers; may be empty. */
  readonly reason: string
  /** The name of the person who presses it; empty if there is no login. */
  readonly by: string
  /** The person knows about today's reminder, and wants another one. */
  readonly again: boolean
}

export interface Actions {
  /** Never rejects. */
  press(press: Press): Promise<Told>
  /** The document as the signers got it, as a stream. Rejects with an EidError. */
  file(item: PendingItem): Promise<Answer>
}

/** How long the same button gives the same answer again, after a double click or for another person. */
const repeatMs = 10_000

/** Actions on a single wait, not on its document. */
const ofWait: readonly WaitingAction[] = ['link', 'askNow', 'stopWaiting']

/**
 * Actions that end a wait: their answer is kept, because the wait is gone when the button is pressed again. Other
 * answers depend on the moment.
 */
const ending: readonly WaitingAction[] = ['stopWaiting', 'cancel']

export function createActions(RED: Runtime): Actions {
  const once = createSharedAnswers<Told>(repeatMs)
  const run = (press: Press): Promise<Told> =>
    findPending(press.wait).then((item) => (item ? runFor(item, press) : gone), failed)
  const runFor = async (item: PendingItem, press: Press): Promise<Told> => {
    const { action } = press
    if (ofWait.includes(action)) return act(item, press)
    // The tab shows no such button, but a request can contain anything.
    if (!actionsFor(item).includes(action)) return notFor(item)
    // Several messages may wait for the same document, which is reminded about and canceled as one. A moment later it
    // may be another person's turn, who has not been reminded.
    const turn = action === 'remind' ? [press.again, item.waitingFor.map(({ name, url }) => [name, url])] : []
    return once(JSON.stringify([action, item.client, item.id, turn]), () => act(item, press))
  }
  const act = async (item: PendingItem, press: Press): Promise<Told> => {
    const { action, reason } = press
    try {
      if (action === 'link') return { ok: true, links: item.waitingFor.map(({ name, url }) => ({ name, url })) }
      if (action === 'askNow') return there(await askNow(item.wait))
      if (action === 'stopWaiting') return there(await stopWaiting(item.wait))
      const api = await findClient(RED, item.client).connect()
      if (action === 'remind') return await remindOne(api, item, press)
      if (action === 'cancel') {
        await api.send('cancelDocument', { id: item.id, query: { reason: reason === '' ? undefined : reason } })
        // The document has ended; the wait learns that now, or at its next poll.
        await askNow(item.wait).catch(() => undefined)
      }
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

/** If its signers were reminded earlier today, says so and sends nothing. */
async function remindOne(api: ApiClient, { id, wait }: PendingItem, { by, again }: Press): Promise<Told> {
  const found = await remind(api, { id, wait, by, again })
  if (found.state === 'sent') return { ok: true, channel: found.channel }
  if (found.state === 'noAddress') return { ok: false, say: (translate) => translate('noAddress') }
  if (found.state === 'earlier') return { ok: true, earlier: { at: found.at, by: found.by, isSure: found.isSure } }
  // The wait learns that now, or at its next poll.
  await askNow(wait).catch(() => undefined)
  return gone
}

function notFor({ kind }: PendingItem): Told {
  return { ok: false, say: (translate) => translate('documentsOnly', { kind: `@kinds.${kind}` }) }
}
