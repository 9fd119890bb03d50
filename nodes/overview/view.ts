/**
 * The data exchanged between the server and the page's script: plain data for both sides. Times: milliseconds since
 * 1970.
 */

export const sections = ['waiting', 'done', 'expired', 'failed', 'lists'] as const
export type Section = (typeof sections)[number]

export const pageActions = ['remind', 'cancel'] as const
export type PageAction = (typeof pageActions)[number]

/** The position of a row among others; when a page is turned, that of the last row shown. */
export type RowPlace = Pick<OverviewRow, 'id' | 'since' | 'until' | 'ended'>

/** Which page: after a row, before one, or the first. */
export interface TurnQuery {
  readonly after?: RowPlace | undefined
  readonly before?: RowPlace | undefined
}

/** The page's query; sent as a header, because addresses end up in logs. */
export interface OverviewQuery extends TurnQuery {
  readonly section: Section
  readonly find: string
  /** Empty: all. */
  readonly kind: string
  /** The label of a flow; empty: all. */
  readonly flow: string
  /** The browser's time zone, for the times in the file. */
  readonly zone: string
}

export const queryHeader = 'X-Eid-Query'

export interface OverviewView {
  /** The server's clock. */
  readonly now: number
  /** The number of rows in each section. */
  readonly counts: Readonly<Record<Section, number>>
  readonly rows: readonly OverviewRow[]
  /** The number of matching rows, and the page shown, counted from 0. */
  readonly found: number
  readonly page: number
  readonly pages: number
  /** The available choices. */
  readonly kinds: readonly string[]
  readonly flows: readonly string[]
  /** Why something can't be listed now, as sentences. */
  readonly failures: readonly string[]
}

export interface OverviewRow {
  /** Identifies this row only. */
  readonly id: string
  readonly title: string
  /** `document`, `session`, `share` or `deposit`; absent for anything else. */
  readonly kind?: string
  readonly people: readonly OverviewPerson[]
  readonly since?: number
  readonly until?: number
  readonly ended?: number
  /** The last reminder sent from here. */
  readonly reminded?: { readonly at: number; readonly by: string }
  /** `late`: its end has passed; `soon`: less than a day is left. */
  readonly urgency?: 'late' | 'soon'
  /** The service to which it was sent, if its client now uses another one: the wait is paused. */
  readonly elsewhere?: string
  /** How it ended, or what went wrong. */
  readonly text?: string
  readonly flow?: string
  readonly progress?: {
    readonly done: number
    readonly failed: number
    readonly total: number
    readonly paused: boolean
  }
  readonly actions: readonly PageAction[]
}

export function placeOf({ id, since, until, ended, progress }: OverviewRow): RowPlace {
  // The estimated end of a list does not determine its position.
  return { id, since, until: progress ? undefined : until, ended }
}

export interface OverviewPerson {
  readonly name: string
  readonly since?: number
  /** Has signed, or fetched everything. */
  readonly done?: boolean
  /** Last known activity. */
  readonly last?: 'opened' | 'read' | 'left'
}

/** The result of a button. */
export interface PressAnswer {
  readonly ok: boolean
  /** A sentence. */
  readonly text: string
  /** The button does it when pressed once more. */
  readonly again?: boolean
}

/** The data that the page needs from the start. */
export interface PageData {
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
}
