/** What the server sends to the tab: plain data for both sides. Times are milliseconds since 1970. */

/** Everything the tab shows, once. */
export interface SidebarView {
  /** The server's clock, so that a browser whose clock is wrong shows the same spans. */
  readonly now: number
  readonly waiting: WaitingView
  readonly done: DoneView
  readonly troubles: readonly ErrorRow[]
  readonly batches: readonly BatchRow[]
  readonly clients: readonly ClientRow[]
}

/** Rows that the tab may ask for at once. */
export const mostRows = 1000

/** Where a row stands in its list: compared one by one. */
export type Place = readonly (number | string)[]

/** Earliest end first; items without an end come last, oldest first. */
export function waitingPlace({ until, since, wait }: Pick<WaitingRow, 'until' | 'since' | 'wait'>): Place {
  return [until ?? Number.MAX_SAFE_INTEGER, since, wait]
}

/** The latest first. */
export function donePlace({ when, wait }: Pick<DoneRow, 'when' | 'wait'>): Place {
  return [-when, wait]
}

export interface WaitingView {
  /** The most urgent first, as many as were asked for. */
  readonly rows: readonly WaitingRow[]
  /** How many are before them. */
  readonly before: number
  /** How many there are in all, how many of them are urgent, and how many fit what was looked for. */
  readonly count: number
  readonly urgent: number
  readonly found: number
  /** Why some that wait can't be listed now: sentences. */
  readonly failures: readonly string[]
}

export interface WaitingRow {
  /** Identifies this wait only. */
  readonly wait: string
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly since: number
  readonly until?: number
  /** `late`: its end has passed; `soon`: less than a day is left. */
  readonly urgency?: 'late' | 'soon'
  readonly nextQuestion?: number
  readonly nextReminder?: number
  /** The last reminder that went out from here. */
  readonly reminded?: { readonly at: number; readonly by: string }
  readonly waitingFor: readonly Person[]
  readonly node: string
  readonly client: string
  readonly replica?: string
  /** The service that it belongs to, when its client uses another one now: the wait is paused. */
  readonly service?: string
  /** What can be done with it here. */
  readonly actions: readonly WaitingAction[]
}

export interface Person {
  readonly name: string
  /** The address can be requested. It is in no list, because anyone who has it can act in that person's place. */
  readonly hasLink: boolean
  readonly since?: number
  readonly last?: LastSeen
}

/** The last that is known about a signer. */
export interface LastSeen {
  readonly what: 'opened' | 'read' | 'left'
  readonly at: number
}

export interface DoneView {
  /** The latest first, as many as were asked for. */
  readonly rows: readonly DoneRow[]
  /** How many stand before them. */
  readonly before: number
  readonly count: number
}

/** What was waited for and has ended. */
export interface DoneRow {
  readonly wait: string
  /** As the node is set. */
  readonly what: string
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly outcome: string
  readonly who: readonly { readonly name: string; readonly done: boolean; readonly last?: LastSeen }[]
  readonly when: number
  readonly node: string
  readonly client: string
  readonly replica?: string
  /** Its signed file can be had from here. */
  readonly hasFile: boolean
}

export const waitingActions = ['link', 'remind', 'download', 'askNow', 'stopWaiting', 'cancel'] as const
export type WaitingAction = (typeof waitingActions)[number]

export interface ErrorRow {
  readonly id: string
  readonly at: number
  readonly since: number
  readonly count: number
  readonly code: string
  readonly text: string
  readonly outcome: string
  readonly call?: string
  readonly status?: number
  readonly requestId?: string
  /** For a batch: which rows it happened to. */
  readonly rows?: readonly string[]
  /** What it was about, where the sentence does not name it. */
  readonly titles?: readonly string[]
  /** Type and name of the node, and where the editor may find it. */
  readonly node: { readonly type: string; readonly name: string; readonly places: readonly string[] }
  readonly replica?: string
  /** A document that may exist: the service can be asked for it. */
  readonly canLook?: true
  /** What the service said when it was asked last. */
  readonly found?: 'exists' | 'absent'
  /** The service was asked, and does not have it: the message can be sent again. */
  readonly canSend?: true
}

export interface BatchRow {
  readonly id: string
  readonly node: string
  readonly name: string
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly started: number
  readonly expectedEnd?: number
  readonly paused: boolean
  readonly replica?: string
  /** When it ended; absent while it runs. */
  readonly ended?: number
  /** For a finished one: rows that can be sent as new contracts. */
  readonly changed?: number
}

export interface ClientRow {
  readonly id: string
  readonly name: string
  readonly environment: string
  readonly address?: string
  readonly tokenUntil?: number
  readonly lastSuccess?: number
  readonly lastFailure?: number
  readonly calls: number
  readonly failures: number
  readonly replica?: string
}

/** What came of a button. */
export interface ActionAnswer {
  readonly ok: boolean
  /** Why it did not work, or what came of it: a sentence. */
  readonly text?: string
  /** How a reminder went out: sendEmail, sendSms or sendBoth. */
  readonly channel?: string
  /** The addresses of those whose turn it is, in the order of the list. */
  readonly links?: readonly { readonly name: string; readonly url?: string | undefined }[]
}
