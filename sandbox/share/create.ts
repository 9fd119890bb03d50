/** Registers a share (`docs/interface.md` 2.3, 4.5). */
import { randomUUID } from 'node:crypto'
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { accessList, shareProblems } from './check'
import { emitShare } from './events'
import { planExpiry } from './expiry'
import { shareRecord } from './record'
import type { Content, Recipient, Share } from './state'

/** `POST /share/buckets/` and `POST /share/`: returns the record. Notices are sent when the files are uploaded. */
export function createShare(call: Call, world: World): Answer {
  const body = call.json()
  const errors = shareProblems(body, world.clock.now())
  if (errors.length > 0) throw invalid(errors)
  const share = readShare(body, world)
  world.share.shares.set(share.id, share)
  for (const recipient of share.recipients) world.share.pages.set(recipient.token, { share, recipient })
  planExpiry(world, share)
  emitShare(world, share, 'share_created')
  return { json: shareRecord(share, world) }
}

function readShare(body: JsonObject, world: World): Share {
  const content = objectsIn(body.content).map(readContent)
  return {
    id: randomUUID(),
    created: world.clock.iso(),
    information: readInformation(objectIn(body.information)),
    content,
    recipients: objectsIn(body.recipients).map((recipient) => readRecipient(recipient, content)),
    contactDetails: body.contactDetails === undefined ? undefined : objectIn(body.contactDetails),
    senders: objectsIn(body.senders),
    tags: textsIn(objectIn(body.advanced).tags),
    announced: false,
    expired: false,
    deleted: false,
    plans: [],
  }
}

function readInformation({ title, name, ...rest }: JsonObject): JsonObject {
  return { title: title ?? name, ...rest }
}

function readContent({ id, name }: JsonObject): Content {
  return { id: textIn(id), name: textIn(name), type: 'file', file: undefined }
}

/** A new recipient, as the request describes them. */
export function readRecipient(requested: JsonObject, all: readonly Content[]): Recipient {
  const memory = { opened: new Map(), logins: new Map(), loggedIn: false }
  return { id: randomUUID(), token: randomUUID(), ...recipientSettings(requested, all), ...memory }
}

type Settings = Omit<Recipient, 'id' | 'token' | 'opened' | 'logins' | 'loggedIn'>

/** A recipient's settings in a request. An absent or empty list gives access to everything. */
export function recipientSettings(requested: JsonObject, all: readonly Content[]): Settings {
  const ids = accessList(requested) ?? []
  return {
    requested,
    firstName: textIn(requested.firstName ?? requested.firstname),
    lastName: textIn(requested.lastName ?? requested.lastname),
    email: textIn(requested.email),
    mobile: objectIn(requested.mobile),
    externalId: textIn(requested.externalId),
    expires: Date.parse(textIn(requested.expires)),
    expiresText: textIn(requested.expires),
    authentication: objectsIn(requested.authentication),
    notification: requested.notification === undefined ? undefined : objectIn(requested.notification),
    oneTimeLogin: requested.oneTimeLogin === true,
    content: ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id)),
  }
}
