/** Carries out the actions of the page's buttons, only for pending waits. Several presses within seconds act once. */
import { nodeError } from '../../lib/api/errors/errors'
import { createSharedAnswers } from '../../lib/runtime/http/shared-answers'
import { askNow, findPending, type PendingItem } from '../../lib/runtime/monitor/pending'
import { findClient } from '../../lib/runtime/node-red/client-node'
import { toEidError } from '../../lib/runtime/node-red/errors'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { remind } from '../../lib/runtime/service/reminder'
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import type { PageAction, PressAnswer } from './view'

export interface Press {
  readonly action: PageAction
  /** The id of the wait, as in its row; not checked yet, because a request can contain anything. */
  readonly wait: unknown
  /** The reason for a cancel, which the signers get; may be empty. */
  readonly reason: string
  /** Whether the person has read that a reminder was sent earlier today, and wants to send another one. */
  readonly again: boolean
  /** The name of the person who presses the button. */
  readonly by: string
  readonly language: string
  readonly texts: PageTexts
}

/**
 * Within these milliseconds, another press of the same button gets the first answer, even if another person presses it.
 */
const repeatMs = 10_000

/** Returns the function that carries out a press; it never rejects. */
export function createActions(RED: Runtime): (press: Press) => Promise<PressAnswer> {
  const once = createSharedAnswers<PressAnswer>(repeatMs)
  const run = async (press: Press): Promise<PressAnswer> => {
    const { action, wait, language, texts } = press
    try {
      const item = typeof wait === 'string' ? await findPending(wait) : undefined
      if (item?.kind !== 'document') return { ok: false, text: texts.gone ?? '' }
      const { service } = item
      // The client now uses another service than the wait was created for.
      if (service !== undefined)
        return { ok: false, text: (texts.elsewhere ?? '').replace('__service__', () => service) }
      // A moment later, the next signer may be a person who has not been reminded yet. Therefore a reminder to that
      // signer counts as another action.
      const turn = action === 'remind' ? [press.again, item.waitingFor.map(({ name, url }) => [name, url])] : []
      return await once(JSON.stringify([action, item.client, item.id, turn]), () => act(RED, item, press))
    } catch (thrown) {
      return failedAnswer(thrown, language, texts)
    }
  }
  // After a cancel, the document is no longer pending: a second press shares the first answer instead of failing.
  return (press) =>
    press.action === 'cancel' ? once(JSON.stringify(['cancel', press.wait]), () => run(press)) : run(press)
}

async function act(RED: Runtime, item: PendingItem, press: Press): Promise<PressAnswer> {
  const { action, reason, again, by, language, texts } = press
  try {
    const api = await findClient(RED, item.client).connect()
    if (action === 'remind') {
      const found = await remind(api, { id: item.id, wait: item.wait, by, again })
      if (found.state === 'sent') return { ok: true, text: texts[`reminded.${found.channel}`] ?? '' }
      if (found.state === 'earlier')
        return { ok: false, again: true, text: texts[`reminded.${found.isSure ? 'earlier' : 'maybe'}`] ?? '' }
      if (found.state === 'noAddress') throw nodeError('EID_REFUSED', 'noAddress', {}, { attempts: 0 })
      if (found.state === 'notOpen') return { ok: false, text: texts['reminded.notOpen'] ?? '' }
      if (found.state === 'gone') return { ok: false, text: texts.gone ?? '' }
      await endNow(item)
      return { ok: false, text: texts['reminded.ended'] ?? '' }
    }
    await api.send('cancelDocument', { id: item.id, query: { reason: reason === '' ? undefined : reason } })
    await endNow(item)
    return { ok: true, text: texts.canceled ?? '' }
  } catch (thrown) {
    return failedAnswer(thrown, language, texts)
  }
}

/** Polls the wait of a document that has ended. If that fails, the wait ends at its next poll. */
async function endNow({ wait }: PendingItem): Promise<void> {
  await askNow(wait).catch(() => undefined)
}

function failedAnswer(thrown: unknown, language: string, texts: PageTexts): PressAnswer {
  const translate = translateInto(language, 'overview')
  return { ok: false, text: translate ? toEidError(thrown, translate, 1).message : (texts.failed ?? '') }
}
