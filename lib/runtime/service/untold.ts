/** Checks whether the service can notify a signer in the requested way. */
import { getPath } from '../values/read-text'

/** The missing contact data, as a key of the warnings. */
export type Untold = 'untoldSms' | 'untoldEmail' | 'untold'

/**
 * Undefined if the signer can be notified, or should not be (`off`, or a page of one's own that embeds the signing). A
 * request written by hand may omit the channel; `isListed` means that it came from the list of a form.
 */
export function untoldBy(signer: unknown, isListed: boolean): Untold | undefined {
  const channel = String(getPath(signer, 'notifications.setup.request') ?? '').toLowerCase()
  const lacks = (path: string) => String(getPath(signer, path) ?? '').trim() === ''
  const noEmail = lacks('signerInfo.email')
  const noNumber = lacks('signerInfo.mobile.number')
  switch (channel) {
    case 'sendsms':
      return noNumber ? 'untoldSms' : undefined
    case 'sendemail':
      return noEmail ? 'untoldEmail' : undefined
    case 'sendboth':
      if (noEmail && noNumber) return 'untold'
      return noEmail ? 'untoldEmail' : noNumber ? 'untoldSms' : undefined
    case '':
      return isListed && !isEmbedded(signer) ? 'untold' : undefined
    default:
      return undefined
  }
}

function isEmbedded(signer: unknown): boolean {
  return String(getPath(signer, 'redirectSettings.redirectMode') ?? '').startsWith('iframe')
}
