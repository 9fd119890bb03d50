/**
 * Decides where the user's page leads after the session has ended: a message to the parent window, or an address
 * (`docs/interface.md` 6.2).
 */
import { objectIn, textIn } from '../server/json'
import { withParameter } from '../server/urls'
import type { Session } from './session'
import { v1Status } from './v1-record'

/** The message that the page posts to its parent window, as a JSON string. */
export interface ParentMessage {
  readonly sessionId: string
  readonly status: 'success' | 'aborted' | 'error'
}

interface Return {
  readonly message: ParentMessage
  /** Where the browser goes next; undefined if the page stays. */
  readonly redirect: string | undefined
  /** Origin of the window that may get the message; undefined if none may. */
  readonly targetOrigin: string | undefined
}

export function returnOf(session: Session): Return {
  const { requested, flow } = session
  const outcome = session.status === 'success' ? 'success' : session.status === 'user_aborted' ? 'aborted' : 'error'
  const target = textIn(objectIn(requested.iframeSettings).postMessageTargetOrigin)
  const targetOrigin = flow === 'iframe' && target ? target : undefined
  const redirect = targetOrigin === undefined ? addressOf(session, outcome) : undefined
  return { message: { sessionId: session.id, status: outcome }, redirect, targetOrigin }
}

function addressOf(session: Session, outcome: ParentMessage['status']): string | undefined {
  const { successUrl, abortUrl, errorUrl } = objectIn(session.requested.redirectSettings)
  const address = textIn({ success: successUrl, aborted: abortUrl, error: errorUrl }[outcome])
  if (address === '') return undefined
  if (session.version === 'v1') return fillIn(address, session, outcome)
  return outcome === 'success' ? withParameter(address, 'sessionId', session.id) : address
}

/**
 * Fills in the placeholders of a v1 address: `[0]` (status, only after errors), `[1]` (request id) and `[2]` (external
 * reference).
 */
function fillIn(address: string, session: Session, outcome: ParentMessage['status']): string {
  const withStatus = outcome === 'error' ? address.replaceAll('[0]', v1Status[session.status]) : address
  return withStatus.replaceAll('[1]', session.id).replaceAll('[2]', encodeURIComponent(session.externalReference))
}
