/** What the buttons of the page do: only with what is on the list, and once however often one is pressed. */
import { createSharedAnswers } from '../../lib/runtime/http/shared-answers'
import { askNow, type PendingItem } from '../../lib/runtime/monitor/pending'
import { findClient } from '../../lib/runtime/node-red/client-node'
import { toEidError } from '../../lib/runtime/node-red/errors'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { remind } from '../../lib/runtime/service/reminder'
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import type { PageAction, PressAnswer } from './view'

export interface Press {
  readonly action: PageAction
  readonly item: PendingItem
  /** Why it is canceled, for its signers; may be empty. */
  readonly reason: string
  readonly language: string
  readonly texts: PageTexts
}

/** Milliseconds in which the same button again gets the same answer: a second click, or another person's. */
const repeatMs = 10_000

/** Never rejects. */
export function createActions(RED: Runtime): (press: Press) => Promise<PressAnswer> {
  const once = createSharedAnswers<PressAnswer>(repeatMs)
  return (press) => {
    const { action, item } = press
    // A moment later it may be the turn of someone else, who has not been reminded.
    const turn = action === 'remind' ? item.waitingFor.map(({ name, url }) => [name, url]) : []
    return once(JSON.stringify([action, item.client, item.id, turn]), () => act(RED, press))
  }
}

async function act(RED: Runtime, { action, item, reason, language, texts }: Press): Promise<PressAnswer> {
  try {
    const api = await findClient(RED, item.client).connect()
    if (action === 'remind') return { ok: true, text: texts[`reminded.${await remind(api, item.id)}`] ?? '' }
    await api.send('cancelDocument', { id: item.id, query: { reason: reason === '' ? undefined : reason } })
    // What was waited for is over; the wait learns that now rather than at its next question.
    await askNow(item.wait)
    return { ok: true, text: texts.canceled ?? '' }
  } catch (thrown) {
    const translate = translateInto(language, 'overview')
    return { ok: false, text: translate ? toEidError(thrown, translate, 1).message : (texts.failed ?? '') }
  }
}
