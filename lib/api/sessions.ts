/**
 * Reads the state of an identification session, whichever API version created the session (`docs/interface.md` 3.1,
 * 4.7, 4.8).
 */
import type { Answer, CallOptions } from './call/call'
import { EidError } from './errors/errors'
import type { OperationName } from './operations/operations'

export type SessionVersion = 'v2' | 'v1'

interface SessionState {
  /** The status by its v2 name, whichever version returned it. */
  readonly status: string
  readonly version: SessionVersion
  readonly answer: Answer
}

/** Status names: v2 on the left, v1 on the right. */
const statuses: readonly (readonly [string, string])[] = [
  ['created', 'CREATED'],
  ['user_initiated', 'USERINITIATED'],
  ['success', 'SUCCESS'],
  ['failed', 'ERROR'],
  ['user_aborted', 'USERABORTED'],
  ['invalidated', 'INVALIDATED'],
  ['timed_out', 'TIMEOUT'],
]

/** The v2 name of a status of either version; an unknown status stays as it is. */
export function v2Status(status: string): string {
  return statuses.find(([, v1]) => v1 === status.toUpperCase())?.[0] ?? status
}

/** The v1 name of a status of either version; an unknown status stays as it is. */
export function v1Status(status: string): string {
  return statuses.find(([v2]) => v2 === status)?.[1] ?? status
}

type Send = (operation: OperationName, options: CallOptions) => Promise<Answer>

/**
 * Fetches a session. Neither version knows the other's sessions, so without `known`, a session unknown to v2 is fetched
 * from v1. Rejects with an EidError; if no version knows the id, with v2's error.
 */
export async function getSessionState(send: Send, id: string, known?: SessionVersion): Promise<SessionState> {
  if (known === 'v1') return askV1(send, id)
  try {
    const answer = await send('getSession', { id })
    return { status: textOf(answer.data, 'status'), version: 'v2', answer }
  } catch (error) {
    if (known === 'v2' || !isUnknown(error)) throw error
    return askV1(send, id).catch((other: unknown) => {
      throw isUnknown(other) ? error : other
    })
  }
}

async function askV1(send: Send, id: string): Promise<SessionState> {
  const answer = await send('v1GetSession', { query: { requestId: id } })
  return { status: v2Status(textOf(answer.data, 'Status')), version: 'v1', answer }
}

const isUnknown = (error: unknown) => error instanceof EidError && error.code === 'EID_NOT_FOUND'

function textOf(data: unknown, name: string): string {
  const found = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined
  return typeof found === 'string' ? found : ''
}
