/** Says whether the service can notify a signer in the way that the request says. */
import { getPath } from '../values/read-text'

/** What is missing; a key of the warnings. */
export type Untold = 'untoldSms' | 'untoldEmail' | 'untold'

/**
 * Undefined when the signer can be notified, or was meant not to be (`off`, or a page of one's own that shows the
 * signing inside). A request written by hand may leave the channel out; `isListed` says that it came
 * from the list of a form.
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
