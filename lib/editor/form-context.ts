/** What the parts of a form share. */
import type { Rule, RuleName } from '../settings/rules'
import type { KnownValues } from '../settings/together'
import type { ReadStored } from '../settings/validation'
import type { Offers } from './suggestions'

/** Looks at one row of a list. */
export type DoubtOf = (list: string, read: ReadStored) => string | undefined

/** The texts, rules and suggestions of one form. */
export interface FormContext {
  readonly text: (key: string) => string
  readonly common: (key: string) => string
  readonly rules: Readonly<Partial<Record<RuleName, Rule>>>
  readonly offers: Offers
  /** The settings around a list, which may give a required value for all rows. */
  readonly around?: ReadStored
  /** What is known about them before the message. */
  readonly known?: (read: ReadStored) => KnownValues
  /** What is doubtful of a row although it can be sent: a key of the catalogue (`hints`), or nothing. */
  readonly doubtOf?: DoubtOf | undefined
}

/** What a node's own part of its form works with. */
export interface FormParts {
  input(name: string): JQuery
  /** The rows of a list as they are in the form. */
  rows(name: string): RowData[]
  /** Puts these rows in place of those of the form. */
  setRows(name: string, rows: readonly RowData[]): void
  readonly context: FormContext
}
