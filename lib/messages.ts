/** What the nodes put on a message, for Function nodes with types, and for packages that work with these messages. */
import type { ErrorCode, Cause } from './api/errors/errors'

/** What every answer of the service brings along. */
export interface Answered {
  /** HTTP status of the response. */
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

/** A message as "document" leaves it. */
export interface DocumentCallMessage extends Answered {
  payload: unknown
  documentId?: string
  signerId?: string
  attachmentId?: string
  /** After a download. */
  file?: {
    path?: string
    fileFormat?: string
    contentType?: string
    size: number
    sha256: string
  }
  /** After "archive": the document was archived already, and nothing was changed. */
  existing?: boolean
}

/** A message as "share" leaves it. */
export interface ShareMessage extends Answered {
  payload: unknown
  shareId?: string
  recipientId?: string
  /** The link of a recipient, when the service gave one. */
  url?: string
}

/** A message as "create share" leaves it. */
export interface NewShareMessage extends Answered {
  payload: unknown
  shareId: string
  /** The registered items, for "upload to share". */
  content: readonly { id?: unknown; name?: unknown }[]
}

/** A message as "upload to share" leaves it. */
export interface UploadMessage {
  payload: readonly { contentId: string; fileName: string; bytes: number; sha256: string; seconds: number }[]
  shareId: string
}

/** How far an upload is, from the second output. */
export interface UploadProgressMessage {
  payload: { contentId: string; sent: number; total?: number }
}

/** A message as "deposit" leaves it. */
export interface DepositMessage extends Answered {
  payload: unknown
  depositId?: string
  /** After "get": whether it is fully paid in. */
  funded?: boolean
  /** After "create": where the first tenant signs. */
  url?: string
}

/** A message as "cancel deposit" leaves it. */
export interface CanceledDepositMessage extends Answered {
  payload: unknown
  depositId: string
}

/** A message as "terminate deposit" leaves it. */
export interface ReleasedDepositMessage extends Answered {
  payload: {
    effect: 'paid-out' | 'waiting-for-signature'
    text: string
    /** Nothing was sent: this is what would have been. */
    wouldSend?: { method: string; path: string; body: unknown }
  }
  depositId: string
}

/** A message as "identify" leaves it. */
export interface SessionMessage extends Answered {
  payload: unknown
  sessionId?: string
  /** Where the person identifies. */
  url?: string
  /** In the words of v2. */
  status?: string
  /** The same in the words of v1. */
  statusV1?: string
  sensitiveDataDeleted?: boolean
}

/** A message as "request" leaves it. */
export interface RequestMessage extends Answered {
  payload: unknown
}

/** A message as "wait" sends it when what was waited for has ended. */
export interface EndedMessage {
  payload: unknown
  /** The status that ended the wait, in the words of the service. */
  status?: string
  /** What the signers filled in before signing, by the keys of the questions. */
  answers?: Record<string, unknown>
  /** The same by external signer id. */
  answersBySigner?: Record<string, Record<string, unknown>>
}

/** A message as "wait" sends it when time has run out. */
export interface ExpiredMessage {
  payload: unknown
  /** The limit of the node came first. */
  timedOut?: boolean
}

/** A web message of a page of "embed"; `confirmed` is there from the second output. */
export interface WebMessage {
  payload: { type?: string; confirmed?: boolean; [name: string]: unknown }
  documentId?: string
  sessionId?: string
}

/** A message that "embed" has made a page for. */
export interface PageMessage {
  /** Where to send the person. */
  embedUrl: string
}

/** A message of "events". */
export interface EventMessage extends Answered {
  payload: Record<string, unknown>
  /** Type of the event, such as `document_signed`. */
  topic?: unknown
  eventId?: unknown
  documentId?: string
  shareId?: string
  depositId?: string
}

/** A message of "webhook". */
export interface WebhookMessage extends ResourceIds {
  payload: Record<string, unknown>
  topic?: unknown
  eventId?: unknown
}

/** The lists of "pending". */
export interface PendingMessage {
  payload: readonly unknown[]
  /** What has ended in the last 30 days, the latest first. */
  ended: readonly unknown[]
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

/** The progress of "batch", about once a second. */
export interface BatchProgressMessage {
  payload: { id: string; total: number; done: number; failed: number }
  status: 'running'
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
  csv: string | Buffer
}

/** The kinds of alerts. */
export type AlertKind =
  | 'expired'
  | 'canceled'
  | 'left-without-signing'
  | 'overdue'
  | 'failed'
  | 'list-finished-with-failures'
  | 'service-unavailable'
  | 'credentials-rejected'
  | 'not-archived-before-deletion'

/** One thing that needs a person, as "alerts" says it. */
export interface Alert extends ResourceIds {
  kind: AlertKind
  title: string
  who: readonly string[]
  /** ISO 8601. */
  since: string
  until?: string
  sentence: string
  /** Opens the editor at the node. */
  link: string
  /** The text of the e-mail. */
  text: string
  node?: { id: string; name: string; flow: string }
  /** Id of the client's config node. */
  client?: string
  externalId?: string
  code?: ErrorCode
  outcome?: 'not-done' | 'unknown'
  call?: string
  requestId?: string
  batchId?: string
  total?: number
  done?: number
  failed?: number
}

/** A message of "alerts": one thing, or everything since the day before. */
export interface AlertMessage {
  topic: AlertKind | 'digest'
  payload: Alert | { kind: 'digest'; alerts: readonly Alert[]; text: string }
  /** Subject and text of an e-mail. */
  subject: string
  text: string
  /** It may have been sent before. */
  redelivered?: boolean
}

/** A message that came out of a Catch node because one of these nodes failed. */
export interface CaughtMessage extends Answered, ResourceIds {
  payload?: unknown
  error: { message: string; code: ErrorCode; cause: Cause; source: { id: string; type: string; name?: string } }
}

/** What leaves each node, by the name of its folder: one entry for each of its outputs. */
export interface NodeMessages {
  'create-document': [DocumentMessage]
  document: [DocumentCallMessage]
  share: [ShareMessage]
  'share-create': [NewShareMessage]
  'share-upload': [UploadMessage, UploadProgressMessage]
  deposit: [DepositMessage]
  'deposit-cancel': [CanceledDepositMessage]
  'deposit-terminate': [ReleasedDepositMessage]
  'identification-session': [SessionMessage]
  request: [RequestMessage]
  wait: [EndedMessage, EndedMessage, ExpiredMessage]
  embed: [WebMessage, WebMessage, PageMessage]
  events: [EventMessage]
  webhook: [WebhookMessage]
  pending: [PendingMessage]
  batch: [BatchRowMessage, BatchProgressMessage | BatchReportMessage]
  alerts: [AlertMessage]
}
