/** The tenant signs the agreement on the account, or a split of the deposit. */
import { notAllowed, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import { wantsPage } from '../pages/form'
import { objectIn, textIn } from '../server/json'
import { parseUrl } from '../server/urls'
import { signContract } from './fund'
import { signingPage } from './page'
import { depositRecord } from './record'
import { paySplit } from './release'
import type { SigningPage } from './state'

/** The page whose token is in the path; throws an HttpError (404). */
function findPage(call: Call, world: World): SigningPage {
  const page = world.deposit.pages.get(call.param('token'))
  if (!page) throw notFound('document to sign')
  return page
}

/** `GET /deposit/sign/{token}`: the page on which the tenant signs. */
export function showSigning(call: Call, world: World): Answer {
  const page = findPage(call, world)
  const signed = !page.split && page.tenant.signed
  return signingPage(page, isReplaced(page, call.param('token')) ? 'replaced' : signed ? 'signed' : 'open', call)
}

/**
 * `POST /deposit/sign/{token}`: signs the contract or the split; a script gets the record. Refused (422) if the page's
 * split can no longer be signed.
 */
export function signPage(call: Call, world: World): Answer {
  const token = call.param('token')
  const page = findPage(call, world)
  const replaced = isReplaced(page, token)
  if (!replaced) sign(page, token, world)
  const next = page.split || replaced ? '' : textIn(objectIn(page.tenant.requested.redirectSettings).success)
  if (wantsPage(call) && page.tenant.requested.flow === 'redirect' && parseUrl(next))
    return { status: 303, headers: { Location: next } }
  if (wantsPage(call)) return signingPage(page, replaced ? 'replaced' : 'signed', call)
  if (replaced) throw notAllowed('This document is no longer valid.', 'DOCUMENT_REPLACED')
  return { json: depositRecord(page.deposit, world) }
}

/**
 * Whether this page's split can no longer be signed: the split was changed or paid out, or this tenant has already
 * signed.
 */
function isReplaced({ deposit, split }: SigningPage, token: string): boolean {
  return split !== undefined && (deposit.split !== split || !split.unsigned.has(token))
}

function sign({ deposit, tenant, split }: SigningPage, token: string, world: World): void {
  if (!split) return signContract(world, deposit, tenant)
  split.unsigned.delete(token)
  if (split.unsigned.size === 0) paySplit(world, deposit, split)
}
