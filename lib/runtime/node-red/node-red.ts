/** Types for the parts of Node-RED's runtime that the nodes use, matching Node-RED 4.1 and 5. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export type FlowMessage = Record<string, unknown> & { _msgid?: string; payload?: unknown }
export type Send = (messages: FlowMessage | (FlowMessage | FlowMessage[] | null | undefined)[]) => void
export type Done = (error?: unknown) => void

export interface NodeStatus {
  fill?: 'red' | 'green' | 'yellow' | 'blue' | 'grey'
  shape?: 'ring' | 'dot'
  text?: string
}

export interface NodeConfig {
  id: string
  type: string
  name?: string
  z?: string
  [setting: string]: unknown
}

interface ContextStore {
  get(key: string, store: string | undefined, callback: (error: unknown, value: unknown) => void): void
  /** If `key` is an array, `value` is an array with the values of these keys. */
  set(key: string | string[], value: unknown, store: string | undefined, callback: (error: unknown) => void): void
  flow: ContextStore
  global: ContextStore
}

export interface RuntimeNode {
  id: string
  type: string
  name?: string
  /** The flow, or the subflow instance, that contains the node. */
  z?: string
  /** Only inside a subflow instance: the node of the subflow from which this node was created. */
  _alias?: string
  credentials?: Record<string, string | undefined>
  on(event: 'input', listener: (msg: FlowMessage, send: Send, done: Done) => void): void
  on(event: 'close', listener: (removed: boolean, done: () => void) => void): void
  send: Send
  receive?(msg: FlowMessage): void
  status(status: NodeStatus): void
  warn(text: unknown, msg?: FlowMessage): void
  error(text: unknown, msg?: FlowMessage): void
  log(text: unknown): void
  context(): ContextStore
}

export interface HttpRequest extends IncomingMessage {
  params: Record<string, string>
  query: Record<string, unknown>
  body?: unknown
  /** The sender according to Express and its setting `trust proxy`. */
  readonly ip?: string
  /** The Express application, for its settings. */
  readonly app?: { get(setting: string): unknown }
  /** The user logged in to the editor; absent if there is no login. */
  readonly user?: unknown
  /** Path below the router, without the query. */
  path: string
}

export interface HttpResponse extends ServerResponse {
  status(code: number): HttpResponse
  json(body: unknown): void
  send(body: unknown): void
  set(headers: Record<string, string>): HttpResponse
}

export type HttpHandler = (request: HttpRequest, response: HttpResponse, next: (error?: unknown) => void) => void

export interface Router {
  get(path: string | RegExp, ...handlers: HttpHandler[]): void
  post(path: string | RegExp, ...handlers: HttpHandler[]): void
}

/** A compiled JSONata expression; only Node-RED uses its content. */
export interface Expression {
  readonly evaluate: unknown
}

type Callback = (error: unknown, value: unknown) => void

export interface Runtime {
  nodes: {
    registerType(type: string, constructor: (this: RuntimeNode, config: NodeConfig) => void, options?: object): void
    createNode(node: RuntimeNode, config: NodeConfig): void
    getNode(id: string): RuntimeNode | null | undefined
    getCredentials(id: string): Record<string, string> | undefined
    /** Replaces the credentials in memory; the next deploy writes them to the file. */
    addCredentials(id: string, credentials: Record<string, string>): void
    eachNode(visit: (config: NodeConfig) => void): void
  }
  util: {
    evaluateNodeProperty(value: unknown, type: string, node: RuntimeNode, msg: FlowMessage, callback: Callback): void
    prepareJSONataExpression(text: string, node: RuntimeNode): Expression
    evaluateJSONataExpression(expression: Expression, msg: FlowMessage, callback: Callback): void
    getMessageProperty(msg: FlowMessage, path: string): unknown
    /** Sets the property; `undefined` deletes it. */
    setMessageProperty(msg: FlowMessage, path: string, value: unknown): boolean
    cloneMessage(msg: FlowMessage): FlowMessage
    generateId(): string
  }
  settings: Record<string, unknown> & {
    httpRequestTimeout?: number
    fileWorkingDirectory?: string
    userDir?: string
    httpNodeRoot?: string | false
    httpNodeMiddleware?: HttpHandler | HttpHandler[]
    httpAdminRoot?: string | false
    /** The address on which the server listens; if absent, it listens on all addresses. */
    uiHost?: string
    uiPort?: number | string
    https?: unknown
    proxyOptions?: Record<string, unknown>
  }
  /** Absent when single nodes are tested. */
  plugins?: { registerPlugin(id: string, definition: object): void }
  /** Events of the runtime; `flows:started` means that all nodes of a deployment have started. */
  events: {
    once(event: 'flows:started', listener: (started: unknown) => void): void
    /** Absent when nodes are tested without Node-RED. */
    on?(event: 'flows:starting' | 'flows:started' | 'flows:stopping', listener: (about: unknown) => void): void
  }
  /** Functions called for each message in flight; absent when nodes are tested without Node-RED. */
  hooks?: { add(hook: string, act: (event: unknown) => false | undefined): void; remove(hook: string): void }
  /** Handlers that receive each line of Node-RED's log; absent when nodes are tested without Node-RED. */
  log?: { addHandler?(handler: { emit(event: 'log', line: unknown): void }): void; warn?(text: string): void }
  auth: { needsPermission(permission: string): HttpHandler }
  httpAdmin: Router
  httpNode: Router
  /** Node-RED's server; absent if Node-RED is embedded in another program. */
  server?: { address?(): { port: number } | string | null }
  _(key: string, params?: Record<string, unknown>): string
}
