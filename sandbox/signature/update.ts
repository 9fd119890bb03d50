/** Changes an open document. */
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn, textsIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { checkUpdate } from './check'
import { findDocument } from './find'
import { documentRecord } from './record'
import { planReminders } from './reminders'
import type { SignatureDocument } from './state'
import { planExpiry, proceed, refuseEnded } from './transitions'

/**
 * `PATCH /signature/documents/{id}` {title, description, notification, contactDetails, advanced}: returns the whole
 * record.
 */
export function updateDocument(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  const body = call.json()
  const errors = checkUpdate(body, world.clock.now())
  if (errors.length > 0) throw invalid(errors)
  refuseEnded(document)
  apply(document, body)
  const { deadline } = objectIn(objectIn(body.advanced).timeToLive)
  if (deadline !== undefined) planExpiry(document, new Date(Date.parse(textIn(deadline))).toISOString(), world)
  if (body.notification !== undefined) planReminders(document, world)
  proceed(document, world)
  return { json: documentRecord(document) }
}

function apply(document: SignatureDocument, body: JsonObject): void {
  const { title, description, notification, contactDetails, advanced } = body
  const { requested } = document
  const timeToLive = {
    ...objectIn(objectIn(requested.advanced).timeToLive),
    ...objectIn(objectIn(advanced).timeToLive),
  }
  document.requested = {
    ...requested,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(notification !== undefined && { notification }),
    ...(contactDetails !== undefined && { contactDetails: overlay(requested.contactDetails, contactDetails) }),
    ...(advanced !== undefined && { advanced: { ...overlay(requested.advanced, advanced), timeToLive } }),
  }
  document.title = textIn(document.requested.title)
  document.description = textIn(document.requested.description)
  document.tags = textsIn(objectIn(document.requested.advanced).tags)
}

function overlay(below: unknown, above: unknown): JsonObject {
  return { ...objectIn(below), ...objectIn(above) }
}
