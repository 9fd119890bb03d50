/** The data that the server sends to the tab: plain data for both sides. Times are milliseconds since 1970. */
import {
  waitingPlace,
  type LastSeen,
  type Person,
  type Place,
  type Urgency,
  type WaitingAction,
} from '../../lib/page/view'

/** Everything that the tab shows at one moment. */
export interface SidebarView {
  /** The server's clock, so that durations are right even if the browser's clock is wrong. */
  readonly now: number
  readonly waiting: WaitingView
  readonly resting: readonly RestingRow[]
  readonly done: DoneView
  readonly troubles: readonly ErrorRow[]
  readonly batches: readonly BatchRow[]
  readonly clients: readonly ClientRow[]
}

/** Maximum number of rows that the tab may request at once. */
export const mostRows = 1000

/** The orders that a person can choose for the waiting rows. */
export const waitingSorts = ['until', 'since', 'title'] as const
export type WaitingSort = (typeof waitingSorts)[number]

type SortedRow = Pick<WaitingRow, 'until' | 'since' | 'wait' | 'title'>

/** The position of a row in the chosen order: earliest end first, oldest first, or by title. */
export function waitingPlaceBy(sort: WaitingSort, row: SortedRow): Place {
  if (sort === 'since') return [row.since, row.wait]
  if (sort === 'title') return [titleKey(row.title), row.wait]
  return waitingPlace(row)
}

/** The text by which titles are sorted: "Lease 9" comes before "Lease 10", and å after æ and ø. */
function titleKey(title: string): string {
  const afterOe = '\u00f9'
  return title
    .toLowerCase()
    .replaceAll('å', afterOe)
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}

/** The position of an ended wait: the most recent comes first. */
export function donePlace({ when, wait }: Pick<DoneRow, 'when' | 'wait'>): Place {
  return [-when, wait]
}

export interface WaitingView {
  /** The requested rows, in the chosen order. */
  readonly rows: readonly WaitingRow[]
  /** The number of waits before these rows. */
  readonly before: number
  /** The number of all waits, of the urgent ones, and of those that match the search. */
  readonly count: number
  readonly urgent: number
  readonly found: number
  /** Sentences that say why some waits can't be listed now. */
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
  readonly urgency?: Urgency
  readonly nextQuestion?: number
  readonly nextReminder?: number
  /** The last reminder that this Node-RED has sent since it started. */
  readonly reminded?: { readonly at: number; readonly by: string }
  readonly waitingFor: readonly Person[]
  readonly node: string
  readonly client: string
  readonly replica?: string
  /** The service that has the document. Set only if the client now uses another service; the wait is then paused. */
  readonly service?: string
  /** Whether the service is not asked, because the client is missing or disabled. */
  readonly noClient?: true
  /** The available actions. */
  readonly actions: readonly WaitingAction[]
}

/** What a node keeps, whether it runs or not. */
export interface KeptRow {
  readonly id: string
  /** The id of the shared store; empty without one. */
  readonly shared: string
  readonly type: string
  readonly name: string
  readonly flow: string
  readonly state: 'running' | 'disabled' | 'gone'
  readonly waits: number
  readonly lists: number
  readonly pages: number
  /** What the first of it is about, with the people; only if the node does not run. */
  readonly titles: readonly string[]
  /** When all of this is removed; only for a node that is gone. */
  readonly removedAt?: number
}

/** What a node keeps that is disabled, or no longer in the flows. */
export interface RestingRow extends KeptRow {
  readonly state: 'disabled' | 'gone'
  /** The nodes in which it can continue. */
  readonly targets: readonly {
    readonly id: string
    readonly name: string
    readonly flow: string
    readonly inside?: string
  }[]
}

export interface DoneView {
  /** The requested rows, the most recent first. */
  readonly rows: readonly DoneRow[]
  /** The number of ended waits before these rows. */
  readonly before: number
  readonly count: number
}

/** An ended wait. */
export interface DoneRow {
  readonly wait: string
  /** What the wait waited for, as set in the node. */
  readonly what: string
  readonly kind: string
  readonly id: string
  readonly title: string
  readonly outcome: string
  /** Why the document was canceled, if a person typed that here, or with which error the wait has ended. */
  readonly reason?: string
  readonly who: readonly { readonly name: string; readonly done: boolean; readonly last?: LastSeen }[]
  readonly when: number
  readonly node: string
  readonly client: string
  readonly replica?: string
  /** Whether the signed file of the document can be downloaded here. */
  readonly hasFile: boolean
}

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
  /** What the error is about, by title or by id, if the sentence does not name it. */
  readonly titles?: readonly string[]
  /** Type and name of the node, and the ids by which the editor may find it. */
  readonly node: { readonly type: string; readonly name: string; readonly places: readonly string[] }
  readonly replica?: string
  /** Set if the service can be asked whether a document exists. */
  readonly canLook?: true
  /** Set if the service has answered that it does not have the document. */
  readonly found?: 'absent'
  /** Set if the service has answered that it does not have the document, so that the message can be sent again. */
  readonly canSend?: true
  /** Set if a file could not be saved, and the message can be given to its node again. */
  readonly canSave?: true
}

export interface BatchRow {
  readonly id: string
  readonly node: string
  readonly name: string
  readonly total: number
  readonly done: number
  readonly failed: number
  /** The number of rows that are done, but have other content in the list now. They are not among `done`. */
  readonly changed: number
  readonly started: number
  readonly expectedEnd?: number
  readonly paused: boolean
  readonly replica?: string
  /** When the batch ended; absent while it runs. */
  readonly ended?: number
  /** Whether the changed rows of an ended batch can be sent as new contracts. */
  readonly offersChanged?: boolean
  /** The first rows that have an error, also while their messages are in the flow. */
  readonly failures?: readonly FailedRow[]
  /** Whether files of these rows are not saved, and their messages can be given to their nodes again. */
  readonly canSave?: boolean
  /** For a list that was refused before its first row, why. */
  readonly refused?: 'sentBefore' | 'otherShape'
}

/** A row of a list that has an error, as in `lib/runtime/monitor/batches.ts`. */
export interface FailedRow {
  readonly row: number
  readonly key: string
  readonly title?: string
  readonly state: 'failed' | 'look first' | 'out' | 'done'
  readonly text: string
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

/**
 * Maximum number of waits in one request for reminders. For more waits, the tab sends several requests, one after the
 * other.
 */
export const maxReminded = 25

/** The results for the documents of one request, or for the rows of a selection. */
export interface RemindedCounts {
  readonly reminded?: number
  /** Documents whose signers were reminded earlier today, by a button or on a date set for their wait. */
  readonly earlier?: number
  /** Documents whose signers may have been reminded today. */
  readonly unsure?: number
  /** Documents that everyone has signed, or that have ended in another way. */
  readonly ended?: number
  /** Waits that no longer exist. */
  readonly gone?: number
  /** Waits for something other than a document. */
  readonly otherKind?: number
  /** Documents at a service that the client no longer uses. */
  readonly elsewhere?: number
  readonly noAddress?: number
  readonly failed?: number
}

export interface RemindedAnswer {
  readonly ok: boolean
  readonly counts?: RemindedCounts
  /** Why reminders failed, as sentences. */
  readonly reasons?: readonly string[]
}
