/** Reminds signers when a client requests it. */
import { invalid, notAllowed } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { findDocument } from './find'
import { tellSigner } from './notices'
import { isTurn } from './signers'

/** `POST …/notifications/reminder`: reminds the named signers, or all whose turn it is. Echoes the body. */
export function remindDocument(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  const body = call.json()
  const channel = textIn(body.notificationSetting)
  if (!/^(off|send(sms|email|both))$/i.test(channel)) {
    throw invalid([{ field: 'NotificationSetting', message: 'It must be off, sendSms, sendEmail or sendBoth.' }])
  }
  const named = Object.entries(objectIn(body.signers))
  const unknown = named.filter(([id]) => !document.signers.some((signer) => signer.id === id))
  if (unknown.length > 0) {
    throw invalid(unknown.map(([id]) => ({ field: `Signers[${id}]`, message: 'The document has no such signer.' })))
  }
  if (document.status !== 'unsigned' && document.status !== 'partialsigned') {
    throw notAllowed(`The document is ${document.status}; there is nobody to remind.`)
  }
  for (const signer of document.signers) {
    if (signer.signature || !isTurn(signer, document)) continue
    const override = named.find(([id]) => id === signer.id)
    if (named.length > 0 && !override) continue
    const { emailOverride, mobileOverride } = objectIn(override?.[1])
    const overrides = { email: textIn(emailOverride), mobile: mobileOf(mobileOverride) }
    tellSigner('reminder', signer, document, world, channel, overrides)
  }
  return { json: body }
}

function mobileOf(value: unknown): string {
  const { countryCode, number } = objectIn(value)
  return number === undefined ? textIn(value) : `${textIn(countryCode).replace(/^\+?/, '+')} ${textIn(number)}`
}
