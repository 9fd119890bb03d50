/** The errors as the tab shows them, and what their buttons do. */
import { errorsOf } from '../../../lib/runtime/journal/errors'
import { groupErrors, namesOf, type ErrorGroup } from '../../../lib/runtime/monitor/error-entry'
import { sentenceOf } from '../../../lib/runtime/monitor/error-sentence'
import type { Replica } from '../../../lib/runtime/monitor/replicas'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { translateInto } from '../../../lib/runtime/node-red/texts'
import type { ErrorRow } from '../view'
import { createLook } from './look'
import { saveAgain } from './save-again'
import type { Told } from '../../../lib/runtime/people/told'

interface Troubles {
  /** Our own errors and those of the other Node-REDs, the latest first. */
  rows(others: readonly Replica[], language: unknown): ErrorRow[]
  /** Does what the button of an error asks for. Without an id, removes all errors. Never rejects. */
  press(body: Record<string, unknown>): Promise<Told>
}

/** The number of errors that the tab shows; a person who has dismissed some sees the next ones. */
const mostErrors = 200

export function createTroubles(RED: Runtime): Troubles {
  const errors = errorsOf(RED)
  const look = createLook(RED)
  return {
    rows(others, language) {
      const own = groupErrors(errors.list()).map((one) => ({
        ...rowOf(one, language),
        ...look.offers(one.entry),
        ...(one.entry.isUnsaved && errors.unsaved.has(one.entry.subject) && { canSave: true as const }),
      }))
      const theirs = others.flatMap(({ name, troubles }) =>
        groupErrors(troubles).map((one) => ({ ...rowOf(one, language), replica: name })),
      )
      return [...own, ...theirs].sort((one, other) => other.at - one.at).slice(0, mostErrors)
    },
    press({ id, action }) {
      if (action === 'look' || action === 'sendAgain') return look[action](id)
      if (action === 'saveAgain') return saveAgain(RED, id)
      if (typeof id !== 'string') errors.dismiss()
      const group = groupErrors(errors.list()).find(({ ids }) => ids.includes(String(id)))
      for (const one of group?.ids ?? []) errors.dismiss(one)
      return Promise.resolve({ ok: true })
    },
  }
}

/** The errors with the same sentence as one row, in the editor's language. */
function rowOf(group: ErrorGroup, language: unknown): ErrorRow {
  const { entry, since, count } = group
  const { id, at, code, outcome, call, status, requestId, found, node } = entry
  const set = node.type.replace(/^eid-/, '')
  const text = sentenceOf(entry, typeof language === 'string' ? translateInto(language, set) : undefined)
  const titles = namesOf(group, text)
  return {
    id,
    at,
    since,
    count,
    code,
    text,
    outcome,
    node,
    ...(call !== undefined && { call }),
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
    ...(found && { found }),
    ...(titles.length > 0 && { titles }),
  }
}
