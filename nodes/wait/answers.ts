/** The signers' answers to the questions before signing. */
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { notedAnswers } from '../../lib/runtime/monitor/answers'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'

interface Answers {
  /** The answers by the question's key; if several signers answered a question, the latest answer. */
  readonly answers: PlainObject
  /** The answers of each signer, by external signer id. */
  readonly answersBySigner: Readonly<Record<string, PlainObject>>
}

/**
 * Reads the answers from the whole record of a document, and from events. Undefined if no questions were asked. Only
 * answers to our questions count, because a signature also has other attributes, which come from the eID.
 */
export function answersOf(RED: HostOwner, documentId: string, record: unknown): Answers | undefined {
  const signers = listAt(record, 'signers')
  const signed = (one: unknown) => textAt(one, 'documentSignature.signedTime')
  const inOrder = [...signers].sort((one, other) => signed(one).localeCompare(signed(other)))
  const each = inOrder.map((one): [string, PlainObject] => [textAt(one, 'externalSignerId'), answersOfSigner(one)])
  const noted = notedAnswers(RED, documentId)
  if (!noted && !signers.some((one) => keysOf(one).length > 0)) return undefined
  return {
    answers: each.reduce<PlainObject>((all, [, answers]) => ({ ...all, ...answers }), { ...noted }),
    answersBySigner: Object.fromEntries(each.filter(([, answers]) => Object.keys(answers).length > 0)),
  }
}

function answersOfSigner(signer: unknown): PlainObject {
  const attributes = getPath(signer, 'documentSignature.attributes')
  if (!isPlainObject(attributes)) return {}
  const asked = keysOf(signer).filter((key) => Object.hasOwn(attributes, key))
  return Object.fromEntries(asked.map((key) => [key, attributes[key]]))
}

const keysOf = (signer: unknown) => listAt(signer, 'ui.dialogs.before.formFields').map((one) => textAt(one, 'key'))
