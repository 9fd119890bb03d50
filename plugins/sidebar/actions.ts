/** What the buttons of "Waiting" do; only with what is on the list, and once however often a button is pressed. */
import type { Answer } from '../../lib/api/client'
import { findClient } from '../../lib/runtime/client-node'
import { toEidError } from '../../lib/runtime/errors'
import type { Runtime } from '../../lib/runtime/node-red'
import { askNow, stopWaiting, type PendingItem } from '../../lib/runtime/pending'
import type { Translate } from '../../lib/runtime/texts'
import { remind } from './reminder'
import type { ActionAnswer, WaitingAction } from './view'

export interface Press {
  readonly action: WaitingAction
  /** Of the wait, as the list has it. */
  readonly wait: string
  /** Why a document is canceled, for its signers; may be empty. */
  readonly reason: string
}

export interface Actions {
  /** Never rejects. */
  press(press: Press): Promise<ActionAnswer>
  /** The document as it was given to its signers, as a stream. Rejects with an EidError. */
  file(item: PendingItem): Promise<Answer>
}

/** Milliseconds in which the same button again gets the same answer: a second click, or another person's. */
const repeatMs = 10_000

/** `find` looks for a wait on the list: nothing else can be acted on. */
export function createActions(
  RED: Runtime,
  translate: Translate,
  find: (wait: unknown) => Promise<PendingItem | undefined>,
): Actions {
  const pressed = new Map<string, Promise<ActionAnswer>>()
  const run = async ({ action, wait, reason }: Press): Promise<ActionAnswer> => {
    try {
      const item = await find(wait)
      if (!item) return there(false)
      if (action === 'link') return { ok: true, links: item.waitingFor.map(({ url }) => url) }
      if (action === 'askNow') return there(await askNow(item.wait))
      if (action === 'stopWaiting') return there(await stopWaiting(item.wait))
      const api = await findClient(RED, item.client).connect()
      if (action === 'remind') return { ok: true, channel: await remind(api, item.id) }
      if (action === 'cancel') {
        await api.send('cancelDocument', { id: item.id, query: { reason: reason === '' ? undefined : reason } })
        // What was waited for is over; the wait learns that now rather than at its next question.
        await askNow(item.wait)
      }
      return { ok: true }
    } catch (thrown) {
      return { ok: false, text: toEidError(thrown, translate, 1).message }
    }
  }
  const there = (found: boolean): ActionAnswer => (found ? { ok: true } : { ok: false, text: translate('gone') })

  return {
    press(press) {
      const key = `${press.action} ${press.wait}`
      const before = pressed.get(key)
      if (before) return before
      const answer = run(press)
      pressed.set(key, answer)
      void answer.then(({ ok }) => {
        const forget = () => void pressed.delete(key)
        // What went wrong may be tried again at once.
        if (ok) setTimeout(forget, repeatMs).unref()
        else forget()
      })
      return answer
    },
    async file({ client, id }) {
      const api = await findClient(RED, client).connect()
      return api.send('getDocumentFile', { id, query: { fileFormat: 'unsigned' }, as: 'stream' })
    },
  }
}
