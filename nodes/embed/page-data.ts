/** What the server passes to the script of a page. */
export interface PageData {
  readonly url: string
  readonly origins: readonly string[]
  /** Where messages are reported, from the page's own address. */
  readonly messages: string
  /** Where the page asks whether its end is confirmed. */
  readonly end: string
  /** Pages that are notified of it, when they show this one in a frame: their origins. */
  readonly parents: readonly string[]
  /** An identification, not a signing. */
  readonly session: boolean
  /** Milliseconds that the app may take to start. */
  readonly appTimeoutMs: number
  readonly maxMessageLength: number
  readonly texts: Readonly<Record<'opening' | 'slow' | 'outdated' | 'continue', string | undefined>>
  /** What is told at the end, by the word of the app. */
  readonly ends: Readonly<Record<string, string | undefined>>
}

/** The answer to whether the end is confirmed, once it is. */
export interface ConfirmedEnd {
  /** What the framing page is notified of. */
  readonly notice: EndNotice
  readonly continueAt?: string
}

/** The message to a framing page by `postMessage`. */
export interface EndNotice {
  readonly source: 'eid-embed'
  readonly kind: 'document' | 'session'
  /** The web message that ended it, such as `success` or `sign_success`. */
  readonly status: string
  readonly confirmed: true
  readonly sessionId?: string
  readonly documentId?: string
}
