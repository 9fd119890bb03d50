/**
 * What the sidebar and the overview page have in common, as plain data for the server and the browser. Times are
 * milliseconds since 1970.
 */

/** The sort position of a row: values compared one by one. */
export type Place = readonly (number | string)[]

/** The part of a list that is requested. */
export interface PartQuery {
  /** The number of rows that can be shown. */
  rows: number
  /**
   * The position of the row before the part, even if that row no longer exists. If absent, the part begins with the
   * first row.
   */
  after?: Place | undefined
}

export const waitingActions = ['link', 'remind', 'download', 'askNow', 'stopWaiting', 'withdraw', 'cancel'] as const
export type WaitingAction = (typeof waitingActions)[number]

/** `late` means that the end has passed; `soon` means that less than a day is left. */
export type Urgency = 'late' | 'soon'

/** A signer's last known activity. */
export interface LastSeen {
  readonly what: 'opened' | 'read' | 'left'
  readonly at: number
}

/** A person for whom a wait waits, or who took part in it. */
export interface Person {
  readonly name: string
  /**
   * Whether the signer's link can be requested. The link itself is not in the list, because anyone who has it can act
   * in the signer's place.
   */
  readonly hasLink?: boolean
  readonly since?: number
  /** Whether the person has signed, or has fetched everything. */
  readonly done?: boolean
  readonly last?: LastSeen
}

/** The result of a button. */
export interface ActionAnswer {
  readonly ok: boolean
  /** Why the action failed, or what it did, as a sentence. */
  readonly text?: string
  /** How a reminder was sent: sendEmail, sendSms or sendBoth. */
  readonly channel?: string
  /**
   * Set if no reminder was sent, because one was sent earlier today, or may have been if `isSure` is false. The person
   * is then asked whether to send another one.
   */
  readonly earlier?: { readonly at: number; readonly by: string; readonly isSure: boolean }
  /** The links of the signers whose turn it is, in the order of the list. */
  readonly links?: readonly { readonly name: string; readonly url?: string | undefined }[]
}

/**
 * The position of a wait by its end: the earliest end first; waits without an end come last, the oldest of them first.
 */
export function waitingPlace({
  until,
  since,
  wait,
}: {
  readonly until?: number | undefined
  readonly since: number
  readonly wait: string
}): Place {
  return [until ?? Number.MAX_SAFE_INTEGER, since, wait]
}
