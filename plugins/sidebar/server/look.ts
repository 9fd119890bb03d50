/**
 * The buttons of an error: "Look now" asks the service whether a document exists after all, and asks again by itself
 * until this is known; "Send again" gives the message to its node once more.
 */
import { findDocument } from '../../../lib/api/documents'
import { EidError, nodeError } from '../../../lib/api/errors/errors'
import { fingerprintIn } from '../../../lib/common/generated-key'
import { errorsOf, type Errors } from '../../../lib/runtime/journal/errors'
import type { ErrorEntry } from '../../../lib/runtime/monitor/error-entry'
import { sentenceWithoutDone } from '../../../lib/runtime/monitor/error-sentence'
import { findClient } from '../../../lib/runtime/node-red/client-node'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { createSharedAnswers } from '../../../lib/runtime/http/shared-answers'
import { systemClock } from '../../../lib/store/clock'
import type { ErrorRow } from '../view'
import { done, failed, gone, type Told } from '../../../lib/runtime/people/told'

interface Look {
  /** The buttons that the tab offers for this error. */
  offers(entry: ErrorEntry): Pick<ErrorRow, 'canLook' | 'canSend'>
  /** Asks the service for the document by its external id. Never rejects. */
  look(id: unknown): Promise<Told>
  /**
   * Asks the service once more, and passes the message to its node if the service certainly has no such document. Never
   * rejects.
   */
  sendAgain(id: unknown): Promise<Told>
}

/**
 * Within these milliseconds, another press of the same button gets the first answer, even if another user presses it.
 */
const repeatMs = 5_000
/** Milliseconds between two looks of its own. */
const lookAgainMs = 60_000
/**
 * How long a request may still arrive at the service after its error, in milliseconds. Servers in between hold a request
 * for a few minutes at most.
 */
const arrivalMs = 600_000

export function createLook(RED: Runtime): Look {
  const once = createSharedAnswers<Told>(repeatMs)
  const errors = errorsOf(RED)
  const looking = new Set<string>()
  /** How often each error had occurred when the service did not have its document. */
  const absent = new Map<string, number>()
  const mayBeSent = ({ id, count, found }: ErrorEntry) =>
    (found === 'absent' || absent.get(id) === count) && errors.message(id) !== undefined

  /** Asks the service, and does what its answer means for the error. */
  const find = async (entry: ErrorEntry, key: string): Promise<Told> => {
    const found = await isThere(RED, entry, key)
    const now = errors.find(entry.id)
    if (!now) return gone
    if (found) {
      errors.dismiss(entry.id)
      return done('look.exists')
    }
    // The first request may still arrive. A message with the same key finds the document then, and only another
    // generated key makes a second one.
    const message = errors.message(entry.id)
    const isKnown = fingerprintIn(key) === undefined || systemClock.epochNow() - now.at >= arrivalMs
    if (now.count !== entry.count || (!isKnown && !message)) return later(entry.id, done('look.notYet'))
    if (isKnown) errors.noteAbsent(now)
    else later(entry.id, gone)
    absent.set(now.id, now.count)
    return done(message ? 'look.absent' : 'look.absentMessageGone')
  }
  const look = async (id: string): Promise<Told> => {
    const entry = errors.find(id)
    const key = entry && documentKey(entry, errors)
    if (!entry || key === undefined) return gone
    try {
      return await find(entry, key)
    } catch (thrown) {
      return isOnlyForNow(thrown) ? later(id, notLooked(thrown)) : notLooked(thrown)
    }
  }
  /** Looks again in a minute, until the answer is known. */
  const later = (id: string, told: Told): Told => {
    if (looking.has(id)) return told
    looking.add(id)
    setTimeout(() => {
      looking.delete(id)
      void look(id)
    }, lookAgainMs).unref()
    return told
  }
  const sendAgain = async (id: string): Promise<Told> => {
    const entry = errors.find(id)
    const key = entry && documentKey(entry, errors)
    if (!entry || key === undefined) return gone
    try {
      const told = await find(entry, key)
      const now = errors.find(id)
      if (!now || !mayBeSent(now)) return { ...told, ok: false }
      return give(RED, entry)
    } catch (thrown) {
      return notLooked(thrown)
    }
  }
  const named = (act: (id: string) => Promise<Told>) => (id: unknown) =>
    typeof id === 'string' ? act(id) : Promise.resolve(gone)
  return {
    offers(entry) {
      const canLook = entry.outcome === 'unknown' && documentKey(entry, errors) !== undefined
      return {
        ...(canLook && { canLook }),
        ...(mayBeSent(entry) && { canSend: true }),
      }
    },
    look: named((id) => once(`look ${id}`, () => look(id))),
    sendAgain: named((id) => once(`send ${id}`, () => sendAgain(id))),
  }
}

/** Gives the message to its node again. A deploy may have replaced or removed the node: then the message stays. */
function give(RED: Runtime, { id, node: { id: nodeId } }: ErrorEntry): Told {
  const node = RED.nodes.getNode(nodeId)
  if (!node?.receive) return failed(nodeError('EID_CONFIG', 'nodeGone', {}))
  const msg = errorsOf(RED).takeMessage(id)
  if (!msg) return gone
  node.receive(msg)
  return done('look.sent')
}

/** Whether the service has the document. */
async function isThere(RED: Runtime, { asked }: ErrorEntry, key: string): Promise<boolean> {
  const client = findClient(RED, asked?.client)
  const service = asked?.service ?? ''
  if (client.settings.service !== service) throw nodeError('EID_CONFIG', 'look.elsewhere', { service })
  const document = await findDocument(await client.connect(), key).catch((thrown: unknown) => {
    throw thrown instanceof EidError ? thrown : nodeError('EID_SERVICE', 'look.unclear', {})
  })
  return document !== undefined
}

/** The answer if the service could not be asked: it says nothing about the error. */
function notLooked(thrown: unknown): Told {
  return {
    ok: false,
    say(translate) {
      const reason = sentenceWithoutDone(toEidError(thrown, translate), translate)
      return translate(isOnlyForNow(thrown) ? 'look.away' : 'look.notLooked', { reason })
    },
  }
}

/** Whether the service can be asked later: only a person can change a setting. */
const isOnlyForNow = (thrown: unknown) => !(thrown instanceof EidError) || thrown.code !== 'EID_CONFIG'

/**
 * The external id of the document that may exist; undefined if the error is about anything else, or if the id was not
 * stored.
 */
function documentKey({ id, node, asked, said }: ErrorEntry, errors: Errors): string | undefined {
  if (node.type !== 'eid-create-document' || asked === undefined) return undefined
  const key = errors.message(id)?.externalId ?? said?.cause.externalId
  // An ellipsis shows that personal data was removed from the id, so the id can't be used.
  return typeof key === 'string' && key !== '' && !key.includes('…') ? key : undefined
}
