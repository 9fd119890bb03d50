/** The e-mails and SMS that the service would have sent. */

export interface Notice {
  readonly id: string
  readonly at: string
  readonly channel: 'email' | 'sms'
  readonly to: string
  /** The name of the recipient; empty if unknown. */
  readonly name: string
  readonly subject: string
  readonly text: string
  readonly link: string
}

/** The fields that a sender provides; the rest is filled in. */
export type NoticeDraft = Pick<Notice, 'channel' | 'to' | 'text'> & Partial<Pick<Notice, 'name' | 'subject' | 'link'>>
