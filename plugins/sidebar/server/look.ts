/**
 * For an error after which it is uncertain whether a document was created: asks the service for the document, and sends
 * the message again if there is no document.
 */
import { findDocument } from '../../../lib/api/documents'
import { EidError, nodeError } from '../../../lib/api/errors/errors'
import { dismissError, listErrors, noteFound, type ErrorEntry } from '../../../lib/runtime/monitor/error-log'
import { keepMessage, keptMessage, takeMessage } from '../../../lib/runtime/monitor/kept-messages'
import { wouldBeSecond } from '../../../lib/runtime/monitor/second-document'
import { findClient } from '../../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { createSharedAnswers } from '../../../lib/runtime/http/shared-answers'
import { systemClock } from '../../../lib/store/clock'
import type { ErrorRow } from '../view'
import { done, failed, gone, type Told } from './told'

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

export function createLook(RED: Runtime): Look {
  const once = createSharedAnswers<Told>(repeatMs)

  const isThere = async (entry: ErrorEntry, key: string): Promise<boolean> => {
    const { asked } = entry
    const client = findClient(RED, asked?.client)
    const service = asked?.service ?? ''
    if (client.settings.service !== service) throw nodeError('EID_CONFIG', 'look.elsewhere', { service })
    const document = await findDocument(await client.connect(), key).catch((thrown: unknown) => {
      throw thrown instanceof EidError ? thrown : nodeError('EID_SERVICE', 'look.unclear', {})
    })
    noteFound(entry, document ? 'exists' : 'absent')
    return document !== undefined
  }
  const withEntry = async (id: unknown, act: (entry: ErrorEntry, key: string) => Promise<Told>) => {
    const entry = findEntry(id)
    const key = entry && keyOf(entry)
    if (!entry || key === undefined) return gone
    try {
      return await act(entry, key)
    } catch (thrown) {
      return failed(thrown)
    }
  }
  const look = async (entry: ErrorEntry, key: string) => {
    if (await isThere(entry, key)) return done('look.exists')
    const now = findEntry(entry.id)
    if (!now) return gone
    // If the error has occurred again meanwhile, its latest request may arrive after the service has answered.
    if (now.count !== entry.count || wouldBeSecond(now, systemClock.epochNow())) return done('look.notYet')
    if (now.remade) {
      dismissError(entry.id)
      return done('look.remade')
    }
    const known = keptMessage(entry.id) ? 'absent' : 'absentMessageGone'
    return done(`look.${now.rows ? 'absentRow' : known}`)
  }
  const sendAgain = async (entry: ErrorEntry, key: string) => {
    const msg = takeMessage(entry.id)
    if (!msg) return { ...(await look(entry, key)), ok: false }
    try {
      if (await isThere(entry, key)) return { ...done('look.exists'), ok: false }
      // The flow may have created the document meanwhile. Then this message would add a second one.
      const now = findEntry(entry.id)
      if (!now || now.remade) return { ...(now ? await look(now, key) : gone), ok: false }
      // A deploy may have replaced or removed the node. If the node is missing, the message is kept and not lost.
      const node = RED.nodes.getNode(entry.node.id)
      if (!node?.receive) throw nodeError('EID_CONFIG', 'nodeGone', {})
      dismissError(entry.id)
      node.receive(msg)
    } catch (thrown) {
      // If the flow has created the document meanwhile, this message must not be offered again.
      if (!findEntry(entry.id)?.remade) keepMessage(entry.id, msg)
      throw thrown
    }
    return done('look.sent')
  }
  return {
    offers(entry) {
      const canLook = keyOf(entry) !== undefined
      const canSend = canLook && entry.found === 'absent' && keptMessage(entry.id) !== undefined
      return { ...(canLook && { canLook }), ...(canSend && { canSend }) }
    },
    look: (id) => once(`look ${String(id)}`, () => withEntry(id, look)),
    sendAgain: (id) => once(`send ${String(id)}`, () => withEntry(id, sendAgain)),
  }
}

const findEntry = (id: unknown) => listErrors().find((one) => one.id === id)

/**
 * The external id of the document that may exist; undefined if the error is about anything else, or if the id was not
 * stored.
 */
function keyOf({ id, node, asked, said }: ErrorEntry): string | undefined {
  if (node.type !== 'eid-create-document' || asked === undefined) return undefined
  const key = keptMessage(id)?.externalId ?? said?.cause.externalId
  // An ellipsis shows that personal data was removed from the id, so the id can't be used.
  return typeof key === 'string' && key !== '' && !key.includes('…') ? key : undefined
}
