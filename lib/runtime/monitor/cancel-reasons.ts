/**
 * The reasons that people have typed for canceling documents, from the press of the button until the waits have ended.
 * The service does not return them. Kept in memory only; the ended waits store them.
 */
import { setLatest } from '../../common/latest'
import { hosted, type HostOwner } from '../node-red/host'

/** An attempt to cancel a document: an object of its own, because two attempts may have the same reason. */
interface Attempt {
  readonly reason: string
  /** Whether the service has confirmed it. */
  isDone: boolean
}

/** Maximum number of documents kept in memory; the oldest are dropped first. */
const maxDocuments = 1_000
/** Maximum number of attempts kept for each of them. */
const maxAttempts = 20
const createKnown = () => new Map<string, readonly Attempt[]>()

const attemptsFor = (RED: HostOwner, documentId: string) => hosted(RED, createKnown).get(documentId) ?? []

/** Reports how an attempt has ended. An attempt with an unknown outcome stays without a report. */
interface Noted {
  done(): void
  /** It did nothing. */
  forget(): void
}

/** Notes an attempt to cancel; the reason may be empty. */
export function noteCancelReason(RED: HostOwner, documentId: string, reason: string): Noted {
  const attempt: Attempt = { reason, isDone: false }
  set(RED, documentId, [...attemptsFor(RED, documentId), attempt].slice(-maxAttempts))
  return {
    done: () => void (attempt.isDone = true),
    forget() {
      const others = attemptsFor(RED, documentId).filter((one) => one !== attempt)
      set(RED, documentId, others)
    },
  }
}

function set(RED: HostOwner, documentId: string, attempts: readonly Attempt[]): void {
  const known = hosted(RED, createKnown)
  if (attempts.length === 0) known.delete(documentId)
  else setLatest(known, documentId, attempts, maxDocuments)
}

/**
 * The reason of the attempt that has canceled this document here or, as long as that is not known, of the latest one;
 * undefined if no one has tried, or has typed no reason.
 */
export function cancelReason(RED: HostOwner, documentId: string): string | undefined {
  const attempts = attemptsFor(RED, documentId)
  return (attempts.find(({ isDone }) => isDone) ?? attempts.at(-1))?.reason || undefined
}
