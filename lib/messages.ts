/** Types of the messages that the nodes send, for typed Function nodes and for packages that use these messages. */
import type { ErrorCode, Cause } from './api/errors/errors'

/** The properties that a node adds to its message after every response of the service. */
export interface Answered {
  /** HTTP status of the response. */
  statusCode?: number
  /** The service's id for the request. */
  requestId?: string
}

/** The ids that later nodes read from the message by default. */
export interface ResourceIds {
  documentId?: string
  sessionId?: string
  shareId?: string
  depositId?: string
}

/** A message from "create document". */
export interface DocumentMessage extends Answered {
  payload: unknown
  documentId: string
  /** The key that prevents a repeated message from creating a second document. */
  externalId: string
  /** A link for each signer, if the service returned one. */
  signers: readonly { id?: unknown; externalSignerId?: unknown; url?: unknown; name?: string }[]
  /** True if the document existed before, so that no document was created. */
  existing?: boolean
  /** The link of the first signer, if the service returned one. */
  url?: unknown
}

/** A message from "document". */
export interface DocumentCallMessage extends Answered {
  payload: unknown
  documentId?: string
  signerId?: string
  attachmentId?: string
  /** The downloaded file; set only after a download. */
  file?: {
    path?: string
    fileFormat?: string
    contentType?: string
    size: number
    sha256: string
  }
}

/** A message from "archive" after it has archived a document. */
export interface ArchivedMessage extends Answered {
  payload: {
    folder: string
    files: readonly { name: string; size: number; sha256: string }[]
    existing: boolean
  }
  documentId: string
  /** True if the document had already been archived, so that nothing was changed. */
  existing: boolean
}

/** A message from "archive" after it has checked an archive. */
export interface CheckedArchiveMessage {
  payload: {
    documents: number
    whole: number
    missing: readonly string[]
    changed: readonly string[]
    added: readonly string[]
    chain: 'whole' | { brokenAt: number; index?: string }
  }
}

/** A message from "share". */
export interface ShareMessage extends Answered {
  payload: unknown
  shareId?: string
  recipientId?: string
  /** The link of a recipient, if the service returned one. */
  url?: string
}

/** A message from "create share". */
export interface NewShareMessage extends Answered {
  payload: unknown
  shareId: string
  /** The registered items, for "upload to share". */
  content: readonly { id?: unknown; name?: unknown }[]
}

/** A message from "upload to share". */
export interface UploadMessage {
  payload: readonly { contentId: string; fileName: string; bytes: number; sha256: string; seconds: number }[]
  shareId: string
}

/** The progress of an upload, from the second output. */
export interface UploadProgressMessage {
  payload: { contentId: string; sent: number; total?: number }
}

/** A message from "deposit". */
export interface DepositMessage extends Answered {
  payload: unknown
  depositId?: string
  /** Set after "get": whether the deposit has been paid in full. */
  funded?: boolean
  /** Set after "create": the address at which the first tenant signs. */
  url?: string
}

/** A message from "cancel deposit". */
export interface CanceledDepositMessage extends Answered {
  payload: unknown
  depositId: string
}

/** A message from "terminate deposit". */
export interface ReleasedDepositMessage extends Answered {
  payload: {
    effect: 'paid-out' | 'waiting-for-signature'
    text: string
    /** Set if nothing was sent: the request that would have been sent. */
    wouldSend?: { method: string; path: string; body: unknown }
  }
  depositId: string
}

/** Who has identified: the provider, the person's id at the provider, and the data that was asked for. */
interface Identity {
  provider: string
  providerId: string
  [name: string]: unknown
}

/** A message from "identify". */
export interface SessionMessage extends Answered {
  payload: unknown
  sessionId?: string
  /** The name of the status in v2 of the API. */
  url?: string
  /** The status as named in v2. */
  status?: string
  /** The name of the status in v1 of the API. */
  statusV1?: string
  sensitiveDataDeleted?: boolean
  /** Set after "get" if the person has identified and the service still has the data about the person. */
  identity?: Identity
}

/** A message from "request". */
export interface RequestMessage extends Answered {
  payload: unknown
}

/** A message that "wait" sends when the document, or other object, has reached a status that ends the wait. */
export interface EndedMessage {
  payload: unknown
  /** The service's name for the status that ended the wait. */
  status?: string
  /** The signers' answers to the questions before signing, keyed by question. */
  answers?: Record<string, unknown>
  /** The answers of each signer, keyed by external signer id. */
  answersBySigner?: Record<string, Record<string, unknown>>
  /** The person who has identified; only for sessions. */
  identity?: Identity
  /** Set at the second output if it was not the expected person. */
  reason?: 'another person' | 'not proven'
}

/** A message that "wait" sends when the time limit is reached. */
export interface ExpiredMessage {
  payload: unknown
  /** True if the time limit of the node was reached before that of the service. */
  timedOut?: boolean
}

/** A message that "approve" sends when its approval has ended. */
export interface ApprovalMessage {
  approval: {
    what: string
    details: readonly { label: string; text: string }[]
    /** The SHA-256 of the approval as it was shown, with its message. */
    digest: string
    by: readonly { name: string; at: string; provider: string; sessionId: string }[]
    rejected?: { name: string; at: string; reason: string }
  }
  /** True if the message may have left just before a crash. */
  redelivered?: boolean
}

/** A notice of "approve" for one approver: a complete e-mail. */
export interface ApproverNotice {
  to: string
  subject: string
  text: string
  /** The address of the approver's page. */
  url: string
  approver: string
  /** 0 for the first notice, then the number of the reminder. */
  reminder: number
  topic: string
  payload: string
}

/** A web message from a page of "embed"; `confirmed` is set only in messages from the second output. */
export interface WebMessage {
  payload: { type?: string; confirmed?: boolean; [name: string]: unknown }
  documentId?: string
  sessionId?: string
}

/** A message for which "embed" has created a page. */
export interface PageMessage {
  /** The address to which the flow sends the signer's browser. */
  embedUrl: string
}

/** A message from "events". */
export interface EventMessage extends Answered {
  payload: Record<string, unknown>
  /** Type of the event, such as `document_signed`. */
  topic?: unknown
  eventId?: unknown
  documentId?: string
  shareId?: string
  depositId?: string
}

/** A message from "webhook". */
export interface WebhookMessage extends ResourceIds {
  payload: Record<string, unknown>
  topic?: unknown
  eventId?: unknown
}

/** The lists from "pending". */
export interface PendingMessage {
  payload: readonly unknown[]
  /** The waits that ended in the last 30 days, most recent first. */
  ended: readonly unknown[]
}

/** A row sent by "batch". */
export interface BatchRowMessage {
  payload: unknown
  /** `fileRow` is the row's number in the spreadsheet file that the list came from. */
  batch: { id: string; key: string; row: number; fileRow?: number; of: number; shown?: Record<string, string> }
  /** The key of this row in this batch; it is the same each time the row is sent. */
  externalId: string
  /** True if the row may have been sent before. */
  redelivered?: boolean
}

/** The progress of "batch", sent about once a second. */
export interface BatchProgressMessage {
  payload: { id: string; total: number; done: number; failed: number; changed: number }
  status: 'running'
}

/** The report of "batch". */
export interface BatchReportMessage {
  payload: {
    id: string
    total: number
    done: number
    failed: number
    changed: number
    rows: readonly ({
      row: number
      fileRow?: number
      key: string
      state: 'done' | 'changed' | 'failed' | 'look first'
      externalId: string
    } & ResourceIds & {
        code?: string
        outcome?: 'not-done' | 'unknown'
        problem?: string
      })[]
  }
  status: 'ended'
  /** The rows of the report as CSV. */
  csv: string | Buffer
}

/** The kinds of alerts. */
export type AlertKind =
  | 'expired'
  | 'canceled'
  | 'left-without-signing'
  | 'overdue'
  | 'approval-overdue'
  | 'failed'
  | 'list-finished-with-failures'
  | 'service-unavailable'
  | 'credentials-rejected'
  | 'not-archived-before-deletion'
  | 'removed-soon'

/** One item that needs attention, as reported by "alerts". */
export interface Alert extends ResourceIds {
  kind: AlertKind
  title: string
  who: readonly string[]
  /** ISO 8601. */
  since: string
  until?: string
  sentence: string
  /** A link that opens the node in the editor. */
  link: string
  /** The alert as text, for an e-mail. */
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

/** A message from "alerts": one alert, or all alerts since the day before. */
export interface AlertMessage {
  topic: AlertKind | 'digest'
  payload: Alert | { kind: 'digest'; alerts: readonly Alert[]; text: string }
  /** Subject and text of an e-mail. */
  subject: string
  text: string
  /** True if the alert may have been sent before. */
  redelivered?: boolean
}

/** A message from a Catch node after a node of this package has failed. */
export interface CaughtMessage extends Answered, ResourceIds {
  payload?: unknown
  error: { message: string; code: ErrorCode; cause: Cause; source: { id: string; type: string; name?: string } }
}

/** The messages sent by each node, keyed by its folder name: one entry per output. */
export interface NodeMessages {
  'create-document': [DocumentMessage]
  document: [DocumentCallMessage]
  share: [ShareMessage]
  'share-create': [NewShareMessage]
  'share-upload': [UploadMessage, UploadProgressMessage]
  deposit: [DepositMessage]
  'deposit-cancel': [CanceledDepositMessage]
  'deposit-terminate': [ReleasedDepositMessage]
  archive: [ArchivedMessage | CheckedArchiveMessage]
  'identification-session': [SessionMessage]
  request: [RequestMessage]
  approve: [ApprovalMessage, ApprovalMessage, ApprovalMessage, ApproverNotice]
  wait: [EndedMessage, EndedMessage, ExpiredMessage]
  embed: [WebMessage, WebMessage, PageMessage]
  events: [EventMessage]
  webhook: [WebhookMessage]
  pending: [PendingMessage]
  batch: [BatchRowMessage, BatchProgressMessage | BatchReportMessage]
  alerts: [AlertMessage]
}
