/** The types that the parts of a form share. */
import type { Rule, RuleName } from '../settings/rules'
import type { KnownValues } from '../settings/together'
import type { ReadStored } from '../settings/validation'
import type { lastList } from './insert-field'
import type { Offers } from './suggestions'

/** Checks one row of a list for something that may be a mistake. Returns the key of a text, or undefined. */
export type DoubtOf = (list: string, read: ReadStored) => string | undefined

/** The texts, rules and suggestions of one form. */
export interface FormContext {
  readonly text: (key: string) => string
  readonly common: (key: string) => string
  readonly rules: Readonly<Partial<Record<RuleName, Rule>>>
  readonly offers: Offers
  /** The settings outside a list, which may provide a required value for all rows. */
  readonly around?: ReadStored
  /** Returns the values that are already known before a message arrives. */
  readonly known?: (read: ReadStored) => KnownValues
  /**
   * Checks a row for something that may be a mistake but can be sent anyway. Returns a key of the catalog (`hints`), or
   * undefined.
   */
  readonly doubtOf?: DoubtOf | undefined
}

/** What the form passes to the code of a node that adds something to the form (`ready` in `FormOptions`). */
export interface FormParts {
  readonly node: EditorNode
  input(name: string): JQuery
  /** The rows of a list as currently in the form. */
  rows(name: string): RowData[]
  /** Replaces the rows in the form with these rows. */
  setRows(name: string, rows: readonly RowData[]): void
  readonly context: FormContext
  readonly lastList: typeof lastList
}
