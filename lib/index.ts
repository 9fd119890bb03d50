/** The service's client for plain scripts, without Node-RED. */
export {
  createClient,
  type Answer,
  type ApiClient,
  type BodySource,
  type CallOptions,
  type ClientOptions,
} from './api/client'
export { environmentProxy, type FindProxy, type Proxy, type ProxyOptions } from './api/proxy'
export { createDocument, findDocument } from './api/documents'
export { EidError, errorCodes, type Cause, type ErrorCode, type Outcome, type Problem } from './api/errors'
export type {
  Answered,
  BatchReportMessage,
  BatchRowMessage,
  CaughtMessage,
  DocumentMessage,
  EventMessage,
  ResourceIds,
} from './messages'
export { operations, scopes, type Operation, type OperationName, type Repeat } from './api/operations'
