/** Where the values of settings come from, as stored in a flow file. */
import { isTyped, type Field, type Fields } from '../../settings/fields'
import type { ReadStored } from '../../settings/validation'

/** How the form provides the value of a typed setting. */
export interface Origin {
  /** The type of its input, such as `msg`. */
  readonly type: string
  /** The typed text, which may be the name of a property. */
  readonly typed: unknown
  /** The person chose another type than that of a new node. */
  readonly isChosen: boolean
}

/** The origin of each setting, by name, as stored in `config`. */
export function originsIn<F extends Fields>(fields: F, config: Record<string, unknown>) {
  return (name: keyof F & string): Origin => {
    const field: Field | undefined = fields[name]
    const initial = field && isTyped(field) ? field.type : ''
    const type = String(config[`${name}Type`] ?? initial)
    return { type, typed: config[name] ?? field?.initial, isChosen: type !== initial }
  }
}

/** Reads a setting as it is stored in `config`. */
export function storedIn(config: Record<string, unknown>): ReadStored {
  return (name) => ({
    value: config[name],
    type: config[`${name}Type`] as string | undefined,
    rows: config[`${name}Rows`],
  })
}
