/** Asks the service how a document, session, share or deposit stands, and reads from the answer whether it has ended (`interface.md` 3). */
import type { Answer, CallOptions } from '../../lib/api/client'
import { EidError } from '../../lib/api/errors'
import type { OperationName } from '../../lib/api/operations'
import { getPath } from '../../lib/runtime/read-text'

/** Where a wait ends: signed and the like; ended in another way; out of time. */
export type End = 'done' | 'ended' | 'expired'

export interface Standing {
  /** In the service's words; shares have no word of their own, theirs are received, expired, deleted and open. */
  readonly status: string
  /** Absent while it has not ended. */
  readonly end?: End
  /** The whole resource; for a document only once it has ended. */
  readonly answer: Answer
}

export type What = 'document' | 'session' | 'share' | 'deposit'
export type Ask = (operation: OperationName, options: CallOptions) => Promise<Answer>

/** Asks once. `sharePaths` is the client's setting. Rejects with an EidError. */
export function askStanding(ask: Ask, what: What, id: string, sharePaths: string): Promise<Standing> {
  return standings[what](ask, id, sharePaths)
}

const standings: Record<What, (ask: Ask, id: string, sharePaths: string) => Promise<Standing>> = {
  async document(ask, id) {
    const asked = await ask('getDocumentStatus', { id })
    const status = textAt(asked.data, 'documentStatus')
    const end = ends.document?.[status]
    return { status, end, answer: end ? await ask('getDocument', { id }) : asked }
  },
  async session(ask, id) {
    const answer = await ask('getSession', { id })
    const status = textAt(answer.data, 'status')
    return { status, end: ends.session?.[status], answer }
  },
  async share(ask, id, sharePaths) {
    const answer = await askShare(ask, id, sharePaths)
    return { ...readShare(answer.data), answer }
  },
  async deposit(ask, id) {
    const answer = await ask('getDeposit', { id })
    const status = textAt(answer.data, 'status.depositStatus')
    // Which word a canceled deposit has is not published.
    const end = /^cancell?ed$/i.test(status) ? 'ended' : ends.deposit?.[status]
    return { status, end, answer }
  },
}

const ends: Partial<Record<What, Partial<Record<string, End>>>> = {
  document: { signed: 'done', canceled: 'ended', deleted: 'ended', expired: 'expired' },
  session: { success: 'done', failed: 'ended', user_aborted: 'ended', invalidated: 'ended', timed_out: 'expired' },
  deposit: { TERMINATED: 'done' },
}

/** With `auto` the older path is asked when the newer one does not know the share. */
async function askShare(ask: Ask, id: string, sharePaths: string): Promise<Answer> {
  if (sharePaths === 'share') return ask('getShare', { id })
  try {
    return await ask('getBucket', { id })
  } catch (error) {
    const unknown = error instanceof EidError && [404, 405].includes(error.cause.status ?? 0)
    if (sharePaths === 'buckets' || !unknown) throw error
    return ask('getShare', { id })
  }
}

/** `done` of a share means that every recipient has opened everything, or can no longer. */
function readShare(share: unknown): { status: string; end?: End } {
  if (getPath(share, 'deleted') === true) return { status: 'deleted', end: 'ended' }
  if (getPath(share, 'done') !== true) return { status: 'open' }
  const recipients = getPath(share, 'recipients')
  const missed = Array.isArray(recipients) && recipients.some((one) => itemsOf(one).some((item) => unopened(item)))
  return missed ? { status: 'expired', end: 'expired' } : { status: 'received', end: 'done' }
}

function itemsOf(recipient: unknown): unknown[] {
  const content = getPath(recipient, 'content')
  return Array.isArray(content) ? content : []
}

const unopened = (item: unknown) => getPath(item, 'opened') === false

function textAt(data: unknown, path: string): string {
  const found = getPath(data, path)
  return typeof found === 'string' ? found : ''
}
