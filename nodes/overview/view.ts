/** The data exchanged between the server and the page's script. Times are in milliseconds since 1970. */
import type { ActionAnswer, Person, Place, Urgency } from '../../lib/page/view'

export const sections = ['waiting', 'done', 'expired', 'failed', 'lists'] as const
export type Section = (typeof sections)[number]

export const pageActions = ['remind', 'cancel', 'withdraw'] as const
export type PageAction = (typeof pageActions)[number]

/** Which page to show: the one after a row, the one before a row, or, if neither is given, the first page. */
export interface TurnQuery {
  readonly after?: Place | undefined
  readonly before?: Place | undefined
}

/** The page's query. It is sent as a header, because addresses end up in logs. */
export interface OverviewQuery extends TurnQuery {
  readonly section: Section
  readonly find: string
  /** The kind of the wanted rows; if empty, rows of all kinds. */
  readonly kind: string
  /** The label of the flow of the wanted rows; if empty, rows of all flows. */
  readonly flow: string
  /** The browser's time zone, used for the times in the file. */
  readonly zone: string
}

export const queryHeader = 'X-Eid-Query'

export interface OverviewView {
  /** The current time of the server's clock. */
  readonly now: number
  /** The number of rows in each section. */
  readonly counts: Readonly<Record<Section, number>>
  readonly rows: readonly OverviewRow[]
  /** The number of matching rows, and the page shown, counted from 0. */
  readonly found: number
  readonly page: number
  readonly pages: number
  /** The kinds and flows among which a person can choose. */
  readonly kinds: readonly string[]
  readonly flows: readonly string[]
  /** Why something can't be listed now, as sentences. */
  readonly failures: readonly string[]
}

export interface OverviewRow {
  /** Identifies this row only. */
  readonly id: string
  readonly title: string
  /** `document`, `session`, `share`, `deposit` or `approval`; absent for anything else. */
  readonly kind?: string
  readonly people: readonly Person[]
  readonly since?: number
  readonly until?: number
  readonly ended?: number
  /** The last reminder that a person sent from this page. */
  readonly reminded?: { readonly at: number; readonly by: string }
  readonly urgency?: Urgency
  /** The service to which the document was sent, if the client now uses another service; the wait is then paused. */
  readonly elsewhere?: string
  /** How the wait ended, or what went wrong. */
  readonly text?: string
  readonly flow?: string
  readonly progress?: {
    readonly done: number
    readonly failed: number
    readonly changed: number
    readonly total: number
    readonly paused: boolean
  }
  readonly actions: readonly PageAction[]
}

/**
 * The position of a row. Open rows come first: those that end soonest, then the oldest. Ended rows follow, most recent
 * first. The estimated end of a list does not count, because it changes all the time.
 */
export function placeOf({
  id,
  since,
  until,
  ended,
  progress,
}: Omit<OverviewRow, 'people' | 'title' | 'actions'>): Place {
  const last = Number.MAX_SAFE_INTEGER
  return [-(ended ?? last), progress ? last : (until ?? last), since ?? last, id]
}

/** The server's response to the press of a button. */
export type PressAnswer = ActionAnswer

/** The data that the page needs from the start. */
export interface PageData {
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
}
