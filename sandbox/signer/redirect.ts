/** Sends the browser to the sender's addresses after signing, with a token that describes what happened. */
import { objectIn, textIn, type JsonObject } from '../server/json'
import { withParameter } from '../server/urls'
import { sign } from '../signature/signers'
import type { DocumentSignature } from '../signature/state'
import { ACCOUNT_ID } from '../state/account'
import { redirectMode, type SignError } from './messages'
import type { SignerContext } from './session'

/** What the token says about the signing: one of these three fields is set. */
export interface ReturnState {
  readonly signature?: DocumentSignature
  readonly error?: SignError
  readonly aborted?: boolean
}

/** Milliseconds the token is valid. */
const TOKEN_LIFE_MS = 10 * 60 * 1000

const redirecting = ['redirect', 'iframe_with_redirect', 'iframe_with_redirect_and_webmessaging']

/** The address with `eid-jwt` added to its query; undefined in the modes that stay on the page. */
export function returnAddress(context: SignerContext, state: ReturnState): string | undefined {
  if (!redirecting.includes(redirectMode(context.signer))) return undefined
  const { success, cancel, error } = objectIn(context.signer.requested.redirectSettings)
  const target = textIn(state.signature ? success : state.error ? error : cancel)
  return withParameter(target, 'eid-jwt', sign(claimsOf(context, state), context.world.signature.key))
}

function claimsOf({ document, signer, world }: SignerContext, state: ReturnState): JsonObject {
  const common = {
    AccountId: ACCOUNT_ID,
    DocumentId: document.id,
    ExternalId: document.externalId,
    SignerId: signer.id,
    ExternalSignerId: signer.externalSignerId,
    Expires: new Date(world.clock.now() + TOKEN_LIFE_MS).toISOString(),
  }
  if (state.signature) return { ...common, SignSuccess: pascal({ ...state.signature }) }
  return state.error ? { ...common, Error: pascal({ ...state.error }) } : { ...common, Aborted: true }
}

function pascal(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [`${key.charAt(0).toUpperCase()}${key.slice(1)}`, value]),
  )
}
