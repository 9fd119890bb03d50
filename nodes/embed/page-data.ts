/** What the server tells the script of a page. */
export interface PageData {
  readonly url: string
  readonly origins: readonly string[]
  /** Where messages are reported, from the page's own address. */
  readonly messages: string
  /** An identification, not a signing. */
  readonly session: boolean
  /** That the app may take to start. */
  readonly appTimeoutMs: number
  readonly maxMessageLength: number
  readonly texts: Readonly<Record<'opening' | 'slow' | 'outdated', string | undefined>>
  /** What is told at the end, by the word of the app. */
  readonly ends: Readonly<Record<string, string | undefined>>
}
