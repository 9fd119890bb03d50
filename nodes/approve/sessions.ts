/**
 * The identifications of approvers. An identification counts only in the browser that has begun it: this browser has the
 * cookie, and gets the secret of the return address from the service.
 */
import { isPlainObject } from '../../lib/common/plain-object'
import type { Store } from '../../lib/store/store'
import { marksIn, type Marks } from './identity'
import { hashOf, newSecret, type Link } from './links'

/** What is known about one identification. */
interface Attempt extends Link {
  readonly sessionId: string
  /** The digest of the approval when it began. */
  readonly digest: string
  /** The hash of the secret in the return address. */
  readonly back: string
  /**
   * `begun`: the person is at the service. `returned`: the browser has come back, and the service is asked. `failed`: the
   * service says that no one has identified, or no longer who.
   */
  readonly phase: 'begun' | 'returned' | 'failed' | 'identified'
  /** The person who has identified. */
  readonly who?: { readonly marks: Marks; readonly provider: string }
}

export interface FoundAttempt {
  readonly id: string
  readonly attempt: Attempt
}

interface Begun {
  /** Makes the session at the service; `back` is the secret of the return address. */
  create(back: string): Promise<string>
}

export interface Sessions {
  /**
   * Begins an identification, and returns the cookie of the browser. Returns undefined if the link has begun one within
   * the last minute.
   */
  begin(link: Link, digest: string, begun: Begun): Promise<string | undefined>
  /** The identification of the browser with this cookie, if it is about this approval. */
  find(approval: string, cookie: string): Promise<FoundAttempt | undefined>
  change(found: FoundAttempt, changes: Partial<Attempt>): Promise<void>
  /** Whether an identification about this approval has begun within the last hour. */
  isOpen(approval: string): Promise<boolean>
}

/** The pause between two sessions of one link. */
const paceMs = 60_000
/** How long an identification is good for: the service keeps the data about the person for an hour, too. */
export const attemptMs = 3_600_000

export function createSessions(notes: Pick<Store, 'add' | 'put' | 'get' | 'remove'>): Sessions {
  return {
    async begin({ approval, row }, digest, { create }) {
      const pace = `pace/${approval}/${row}`
      if (!(await notes.add(pace, { keepMs: paceMs }))) return undefined
      const cookie = newSecret()
      const back = newSecret()
      try {
        const sessionId = await create(back)
        const attempt: Attempt = { approval, row, digest, sessionId, back: hashOf(back), phase: 'begun' }
        // Stored before the browser gets the address of the session.
        await notes.put(`open/${approval}`, { keepMs: attemptMs })
        await notes.put(idOf(cookie), { body: attempt, keepMs: attemptMs })
        return cookie
      } catch (thrown) {
        await notes.remove(pace)
        throw thrown
      }
    },
    async find(approval, cookie) {
      const id = idOf(cookie)
      const attempt = cookie === '' ? undefined : attemptIn((await notes.get(id))?.body)
      return attempt?.approval === approval ? { id, attempt } : undefined
    },
    change: ({ id, attempt }, changes) => notes.put(id, { body: { ...attempt, ...changes }, keepMs: attemptMs }),
    isOpen: async (approval) => (await notes.get(`open/${approval}`)) !== undefined,
  }
}

/** The cookie itself is not stored, so that a person who can read the store can't use it. */
const idOf = (cookie: string) => `session/${hashOf(cookie)}`

function attemptIn(value: unknown): Attempt | undefined {
  if (!isPlainObject(value)) return undefined
  const { approval, row, sessionId, digest, back, who } = value
  const isWhole = [approval, row, sessionId, digest, back].every((one) => typeof one === 'string')
  const isKnown = who === undefined || (isPlainObject(who) && marksIn(who.marks) !== undefined)
  return isWhole && isKnown ? (value as unknown as Attempt) : undefined
}
