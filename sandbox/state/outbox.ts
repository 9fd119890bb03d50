/** The e-mails and SMS that the service would have sent. */

export interface Notice {
  readonly id: string
  readonly at: string
  readonly channel: 'email' | 'sms'
  readonly to: string
  /** Whose address that is; empty when unknown. */
  readonly name: string
  readonly subject: string
  readonly text: string
  readonly link: string
}

/** What a sender gives; the rest is filled in. */
export type NoticeDraft = Pick<Notice, 'channel' | 'to' | 'text'> & Partial<Pick<Notice, 'name' | 'subject' | 'link'>>
