/** The data that the server passes to the script of a page. */
export interface PageData {
  readonly url: string
  readonly origins: readonly string[]
  /** The address to which messages are reported, relative to the page. */
  readonly messages: string
  /** The address that the script polls for the page's confirmed result. */
  readonly end: string
  /** For an identification, the address that binds the page to this browser. */
  readonly begin?: string | undefined
  /** The pages at these origins may show this page in a frame, and are then notified of the result. */
  readonly parents: readonly string[]
  /** True for an identification, false for signing. */
  readonly session: boolean
  /** Milliseconds that the app may take to start. */
  readonly appTimeoutMs: number
  readonly maxMessageLength: number
  readonly texts: Readonly<Record<'opening' | 'slow' | 'outdated' | 'continue', string | undefined>>
  /** The text for each result, by the app's message type. */
  readonly ends: Readonly<Record<string, string | undefined>>
}

/** The server's response once the page's result is confirmed. */
export interface ConfirmedEnd {
  /** The notice for the framing page. */
  readonly notice: EndNotice
  readonly continueAt?: string
}

/** The message that a framing page gets through `postMessage`. */
interface EndNotice {
  readonly source: 'eid-embed'
  readonly kind: 'document' | 'session'
  /** The type of the final web message, such as `success` or `sign_success`. */
  readonly status: string
  readonly confirmed: true
  readonly sessionId?: string
  readonly documentId?: string
}
