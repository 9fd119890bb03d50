/** The signer's session: opened with the page, usable for 20 minutes, renewed by activity (`docs/interface.md` 8). */
import { notFound } from '../server/answers'
import type { Call } from '../server/call'
import type { SignatureDocument, Signer } from '../signature/state'
import type { World } from '../world'

/** Milliseconds without activity after which the session ends. */
const IDLE_MS = 20 * 60 * 1000
/** Milliseconds after which the session ends in any case. */
const MAX_SESSION_MS = 8 * 3600 * 1000

export interface SignerContext {
  readonly document: SignatureDocument
  readonly signer: Signer
  readonly world: World
}

/** The signer and the document of this token; throws an HttpError (404). */
export function findSignerContext(token: string, world: World): SignerContext {
  const found = world.signature.bySigner.get(token)
  if (!found) throw notFound('signing link')
  return { ...found, world }
}

export function openSession({ signer, world }: SignerContext): void {
  const now = world.clock.now()
  signer.session = { expires: now + IDLE_MS, ends: now + MAX_SESSION_MS }
}

/** Renews the session; false if the session has ended. If no page was opened yet, the call opens a session. */
export function renewSession(context: SignerContext): boolean {
  const { session } = context.signer
  if (!session) openSession(context)
  const now = context.world.clock.now()
  if (session && (session.expires <= now || session.ends <= now)) return false
  if (session) session.expires = Math.min(now + IDLE_MS, session.ends)
  return true
}

/** The origin of a call, as described in events. */
export function originOfCall(call: Call): { readonly userAgent: string; readonly ipAddress: string } {
  return { userAgent: call.headers['user-agent'] ?? '', ipAddress: call.request.socket.remoteAddress ?? '' }
}
