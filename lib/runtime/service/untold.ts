/** Checks whether the service can notify a signer in the requested way. */
import type { ProblemKey } from '../../api/errors/errors'
import { getPath, isEmpty, textAt } from '../values/read-text'

/** The contact data that is missing, as a key of the warnings. */
type Untold = 'untoldSms' | 'untoldEmail' | 'untold'

/**
 * Returns which contact data is missing. Returns undefined if none is missing, or if the signer should not be notified
 * (`off`, or the caller's own page embeds the signing). A request that was not built by the form may omit the channel; `isListed` means that the signer came
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

const neededBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['sendsms', ['signerInfo.mobile.number']],
  ['sendemail', ['signerInfo.email']],
  ['sendboth', ['signerInfo.email', 'signerInfo.mobile.number']],
])

/** Reports what is missing if the way that was chosen to notify a signer can't reach the signer at all. */
export function unreachable(signer: unknown, prefix: string): ProblemKey[] {
  const channel = textAt(signer, 'notifications.setup.request').toLowerCase()
  const needed = neededBy.get(channel) ?? []
  if (needed.some((path) => !isEmpty(getPath(signer, path)))) return []
  const params = { channel: `@words.channel.${channel}` }
  return needed.map((path) => ({ path: prefix + path, key: 'neededToNotify', params }))
}

function isEmbedded(signer: unknown): boolean {
  return String(getPath(signer, 'redirectSettings.redirectMode') ?? '').startsWith('iframe')
}
