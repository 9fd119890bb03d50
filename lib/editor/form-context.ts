/** What the parts of a form share. */
import type { Rule, RuleName } from '../settings/rules'
import type { KnownValues } from '../settings/together'
import type { ReadStored } from '../settings/validation'
import type { Offers } from './suggestions'

/** Checks one row of a list for something doubtful. */
export type DoubtOf = (list: string, read: ReadStored) => string | undefined

/** The texts, rules and suggestions of one form. */
export interface FormContext {
  readonly text: (key: string) => string
  readonly common: (key: string) => string
  readonly rules: Readonly<Partial<Record<RuleName, Rule>>>
  readonly offers: Offers
  /** The settings around a list, which may provide a required value for all rows. */
  readonly around?: ReadStored
  /** The values known before a message arrives. */
  readonly known?: (read: ReadStored) => KnownValues
  /** A doubt about a row that can still be sent: a key of the catalog (`hints`), or nothing. */
  readonly doubtOf?: DoubtOf | undefined
}

/** The functions for a node's own part of its form. */
export interface FormParts {
  readonly node: EditorNode
  input(name: string): JQuery
  /** The rows of a list as currently in the form. */
  rows(name: string): RowData[]
  /** Replaces the rows of the form with these. */
  setRows(name: string, rows: readonly RowData[]): void
  readonly context: FormContext
}
