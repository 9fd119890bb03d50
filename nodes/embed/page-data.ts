/** The data that the server passes to the script of a page. */
export interface PageData {
  readonly url: string
  readonly origins: readonly string[]
  /** The address for reporting messages, relative to the page. */
  readonly messages: string
  /** The address for asking whether its end is confirmed. */
  readonly end: string
  /** Origins of framing pages to notify of the end. */
  readonly parents: readonly string[]
  /** True for an identification, false for signing. */
  readonly session: boolean
  /** Milliseconds that the app may take to start. */
  readonly appTimeoutMs: number
  readonly maxMessageLength: number
  readonly texts: Readonly<Record<'opening' | 'slow' | 'outdated' | 'continue', string | undefined>>
  /** The text for each end, by the app's message type. */
  readonly ends: Readonly<Record<string, string | undefined>>
}

/** The response once the end is confirmed. */
export interface ConfirmedEnd {
  /** The notice for the framing page. */
  readonly notice: EndNotice
  readonly continueAt?: string
}

/** The message to a framing page through `postMessage`. */
export interface EndNotice {
  readonly source: 'eid-embed'
  readonly kind: 'document' | 'session'
  /** The final web message, such as `success` or `sign_success`. */
  readonly status: string
  readonly confirmed: true
  readonly sessionId?: string
  readonly documentId?: string
}
