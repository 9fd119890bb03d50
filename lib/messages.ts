/** What the nodes put on a message, for Function nodes with types, and for packages that work with these messages. */
import type { ErrorCode, Cause } from './api/errors/errors'

/** What every answer of the service brings along. */
export interface Answered {
  /** Answer code of the service. */
  statusCode?: number
  /** What the service calls this request. */
  requestId?: string
}

/** The ids that a later node picks up by itself. */
export interface ResourceIds {
  documentId?: string
  sessionId?: string
  shareId?: string
  depositId?: string
}

/** A message as "create document" leaves it. */
export interface DocumentMessage extends Answered {
  payload: unknown
  documentId: string
  /** The key that keeps a repeated message from making a second document. */
  externalId: string
  /** A link for each signer, when the service gave one. */
  signers: readonly { id?: unknown; externalSignerId?: unknown; url?: unknown; name?: string }[]
  /** The document was there before: nothing was made. */
  existing?: boolean
  /** The address of the one who signs first, when the service gave one. */
  url?: unknown
}

/** A message of "events" and "webhook". */
export interface EventMessage extends Answered, ResourceIds {
  payload: Record<string, unknown>
  /** Type of the event, such as `document_signed`. */
  topic?: unknown
  eventId?: unknown
}

/** A row as "batch" sends it. */
export interface BatchRowMessage {
  payload: unknown
  batch: { id: string; key: string; row: number; of: number }
  /** Always the same for this row of this batch. */
  externalId: string
  /** It may have been in the flow before. */
  redelivered?: boolean
}

/** The report of "batch". */
export interface BatchReportMessage {
  payload: {
    id: string
    total: number
    done: number
    failed: number
    rows: readonly ({
      row: number
      key: string
      state: 'done' | 'failed' | 'look first'
      externalId: string
    } & ResourceIds & {
        code?: string
        outcome?: 'not-done' | 'unknown'
        problem?: string
      })[]
  }
  status: 'ended'
  /** The same rows as CSV. */
  csv: string
}

/** A message that came out of a Catch node because one of these nodes failed. */
export interface CaughtMessage extends Answered, ResourceIds {
  payload?: unknown
  error: { message: string; code: ErrorCode; cause: Cause; source: { id: string; type: string; name?: string } }
}
