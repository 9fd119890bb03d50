/** What the parts of a form share. */
import type { Rule, RuleName } from '../rules'
import type { Offers } from './suggestions'

/** The texts, rules and suggestions of one form. */
export interface FormContext {
  readonly text: (key: string) => string
  readonly common: (key: string) => string
  readonly rules: Readonly<Partial<Record<RuleName, Rule>>>
  readonly offers: Offers
}
