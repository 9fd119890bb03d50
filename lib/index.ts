/** The client for plain scripts, without Node-RED. */
import type * as large from './api/client'
import type { ApiClient, ClientOptions } from './api/client'

/** Creates a client, which connects when needed. Throws EID_CONFIG unless every address is http or https. */
export function createClient(options: ClientOptions): ApiClient {
  // The HTTP library is large, so it is loaded only here: code that only needs types, error codes or the table of calls
  // must not load it.
  return (require('./api/client') as typeof large).createClient(options)
}

export type { Answer, BodySource, CallOptions } from './api/call/call'
export type { ApiClient, ClientOptions } from './api/client'
export { environmentProxy, type FindProxy, type Proxy, type ProxyOptions } from './api/http/proxy'
export { createDocument, findDocument } from './api/documents'
export { EidError, errorCodes, type Cause, type ErrorCode, type Outcome, type Problem } from './api/errors/errors'
export type {
  Alert,
  AlertMessage,
  Answered,
  ApprovalMessage,
  ApproverNotice,
  ArchivedMessage,
  BatchProgressMessage,
  BatchReportMessage,
  BatchRowMessage,
  CanceledDepositMessage,
  CaughtMessage,
  CheckedArchiveMessage,
  DepositMessage,
  DocumentCallMessage,
  DocumentMessage,
  EndedMessage,
  EventMessage,
  ExpiredMessage,
  NewShareMessage,
  NodeMessages,
  PageMessage,
  PendingMessage,
  ReleasedDepositMessage,
  RequestMessage,
  ResourceIds,
  SessionMessage,
  ShareMessage,
  UploadMessage,
  UploadProgressMessage,
  WebMessage,
  WebhookMessage,
} from './messages'
export { operations, scopes, type Operation, type OperationName, type Repeat } from './api/operations/operations'
