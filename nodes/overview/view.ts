/**
 * What the server and the page's script say to each other: plain data for both sides. Times: milliseconds since 1970.
 */

export const sections = ['waiting', 'done', 'expired', 'failed', 'lists'] as const
export type Section = (typeof sections)[number]

export const pageActions = ['remind', 'cancel'] as const
export type PageAction = (typeof pageActions)[number]

/** Where a row stands among others; of the one that was seen last, when a page is turned. */
export type RowPlace = Pick<OverviewRow, 'id' | 'since' | 'until' | 'ended'>

/** Which page: that after a row, that before one, or the first. */
export interface TurnQuery {
  readonly after?: RowPlace | undefined
  readonly before?: RowPlace | undefined
}

/** What the page asks for; it comes as a header, because addresses end up in logs. */
export interface OverviewQuery extends TurnQuery {
  readonly section: Section
  readonly find: string
  /** Empty: all. */
  readonly kind: string
  /** The label of a flow; empty: all. */
  readonly flow: string
}

export const queryHeader = 'X-Eid-Query'

export interface OverviewView {
  /** The server's clock. */
  readonly now: number
  /** How many there are in each section. */
  readonly counts: Readonly<Record<Section, number>>
  readonly rows: readonly OverviewRow[]
  /** How many fit what was asked for, and the page that is shown: the first is 0. */
  readonly found: number
  readonly page: number
  readonly pages: number
  /** What can be chosen from. */
  readonly kinds: readonly string[]
  readonly flows: readonly string[]
  /** Why something can't be listed now: sentences. */
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
  /** The last reminder that went out from here. */
  readonly reminded?: { readonly at: number; readonly by: string }
  /** `late`: its end has passed; `soon`: less than a day is left. */
  readonly urgency?: 'late' | 'soon'
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
  // The estimated end of a list does not determine its place.
  return { id, since, until: progress ? undefined : until, ended }
}

export interface OverviewPerson {
  readonly name: string
  readonly since?: number
  /** Has signed, or fetched everything. */
  readonly done?: boolean
  /** The last that is known about them. */
  readonly last?: 'opened' | 'read' | 'left'
}

/** What came of a button. */
export interface PressAnswer {
  readonly ok: boolean
  /** A sentence. */
  readonly text: string
}

/** What the page needs from the start. */
export interface PageData {
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
}
