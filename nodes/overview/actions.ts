/** Carries out the actions of the page's buttons, only for pending waits. Several presses within seconds act once. */
import { nodeError } from '../../lib/api/errors/errors'
import { createSharedAnswers } from '../../lib/runtime/http/shared-answers'
import { findPending, stopWaiting, type PendingItem } from '../../lib/runtime/monitor/pending'
import { toEidError } from '../../lib/runtime/node-red/errors'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { cancelPressed } from '../../lib/runtime/service/press-cancel'
import { remindPressed } from '../../lib/runtime/service/press-reminder'
import type { Reminded } from '../../lib/runtime/service/reminder'
import type { PageTexts } from '../../lib/runtime/http/page-texts'
import type { PageAction, PressAnswer } from './view'
import { actionsOn } from './waiting'

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
      const item = typeof wait === 'string' ? await findPending(RED, wait) : undefined
      if (!item || !actionsOn(item.kind).includes(action)) return goneAnswer(texts)
      const { service } = item
      // The client now uses another service than the wait was created for.
      if (service !== undefined)
        return { ok: false, text: (texts.elsewhere ?? '').replace('__service__', () => service) }
      if (action === 'withdraw')
        return (await stopWaiting(RED, item.wait, press.by))
          ? { ok: true, text: texts.withdrawn ?? '' }
          : goneAnswer(texts)
      if (action === 'remind') return answerTo(await remindPressed(RED, item, press), texts)
      return await once(JSON.stringify([item.client, item.id]), () => cancel(RED, item, press))
    } catch (thrown) {
      return failedAnswer(thrown, language, texts)
    }
  }
  // After a cancel or a withdrawal, nothing is pending any more: a second press shares the first answer instead of
  // failing.
  return (press) =>
    press.action === 'remind' ? run(press) : once(JSON.stringify([press.action, press.wait]), () => run(press))
}

const goneAnswer = (texts: PageTexts): PressAnswer => ({ ok: false, text: texts.gone ?? '' })

function answerTo(found: Reminded, texts: PageTexts): PressAnswer {
  if (found.state === 'sent') return { ok: true, text: texts[`reminded.${found.channel}`] ?? '' }
  // The page asks in its own words, because only the browser knows the person's time zone.
  if (found.state === 'earlier')
    return { ok: false, text: '', earlier: { at: found.at, by: found.by, isSure: found.isSure } }
  if (found.state === 'noAddress') throw nodeError('EID_REFUSED', 'noAddress', {}, { attempts: 0 })
  return { ok: false, text: (found.state === 'gone' ? texts.gone : texts[`reminded.${found.state}`]) ?? '' }
}

async function cancel(RED: Runtime, item: PendingItem, press: Press): Promise<PressAnswer> {
  const { reason, language, texts } = press
  try {
    await cancelPressed(RED, item, reason)
    return { ok: true, text: texts.canceled ?? '' }
  } catch (thrown) {
    return failedAnswer(thrown, language, texts)
  }
}

function failedAnswer(thrown: unknown, language: string, texts: PageTexts): PressAnswer {
  const translate = translateInto(language, 'overview')
  return { ok: false, text: translate ? toEidError(thrown, translate, 1).message : (texts.failed ?? '') }
}
