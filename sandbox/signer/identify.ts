/** Identification before reading (a signer's `authentication`): by electronic ID, by a code by SMS, or both. */
import { randomInt } from 'node:crypto'
import { readValues, wantsPage } from '../pages/form'
import { escape, notice, page } from '../pages/html'
import { langOf, type PageLanguage } from '../pages/languages'
import { httpError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn } from '../server/json'
import type { Signer } from '../signature/state'
import type { World } from '../world'
import { frameAncestors } from './messages'
import { findSignerContext, type SignerContext } from './session'
import { signerTexts } from './texts'

const mechanismOf = ({ requested }: Signer) => textIn(objectIn(requested.authentication).mechanism)
const wantsCode = (signer: Signer) => /sms/i.test(mechanismOf(signer))

/** Whether the signer may not read yet. */
export function isUnknown(signer: Signer): boolean {
  return !signer.identified && /^(eid|smsOtp|eidAndSmsOtp)$/i.test(mechanismOf(signer))
}

/** Throws an HttpError (401) if the signer may not read yet. */
export function refuseUnknown(signer: Signer): void {
  if (isUnknown(signer)) throw httpError(401, 'SA-1004', 'Identify before you read the document.')
}

/** The page shown in place of the document. Sends a code if none was sent yet. */
export function identifyPage(
  { signer, document, world }: SignerContext,
  language: PageLanguage,
  wrong: boolean,
): Answer {
  const texts = signerTexts[language]
  if (wantsCode(signer) && signer.code === '') sendCode(signer, world, texts.code)
  const field = `<p><label for="code">${escape(texts.code)}</label> <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required></p>`
  const problem = wrong ? `<p role="alert" class="bad">${escape(texts.wrongCode)}</p>` : ''
  const body = `${notice(language)}<main><form class="card" method="post" action="/sign/${escape(signer.token)}/identify">
<h1>${escape(texts.identifyFirst)}</h1><p>${escape(document.title)}</p>${problem}${wantsCode(signer) ? field : ''}
<button id="identify">${escape(/eid/i.test(mechanismOf(signer)) ? texts.identify : texts.proceed)}</button></form></main>`
  const style = 'main { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }'
  return page({ title: texts.app, lang: langOf(language), body, style, frameAncestors: frameAncestors(signer) })
}

/** `POST /sign/{token}/identify` {code?}: lets the signer read; a browser is redirected. */
export function identifySigner(call: Call, world: World): Answer {
  const { signer } = findSignerContext(call.param('token'), world)
  const right = !wantsCode(signer) || (signer.code !== '' && readValues(call)('code').trim() === signer.code)
  if (right) signer.identified = true
  const back = `/sign/start?jwt=${signer.token}${right ? '' : '&wrong=1'}`
  if (wantsPage(call)) return { status: 303, headers: { Location: back } }
  if (!right) throw httpError(403, 'SA-1034', 'The code is not the one that was sent.')
  return { json: {} }
}

function sendCode(signer: Signer, world: World, text: string): void {
  signer.code = String(randomInt(100_000, 1_000_000))
  const { countryCode, number } = objectIn(objectIn(signer.requested.signerInfo).mobile)
  const to = `${textIn(countryCode).replace(/^\+?/, '+')} ${textIn(number)}`
  world.send({ channel: 'sms', to, text: `${text}: ${signer.code}` })
}
