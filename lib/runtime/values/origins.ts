/** Finds out how the form provides the values of settings, from a node as it is stored in a flow file. */
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { isTyped, type Field, type Fields } from '../../settings/fields'
import type { ReadStored } from '../../settings/validation'

/** How the form provides the value of a typed setting. */
export interface Origin {
  /** The type of the setting's typed input, such as `msg`. */
  readonly type: string
  /** The text typed in the input; it may be the name of a property. */
  readonly typed: unknown
  /** True if the user chose a type other than that of a new node. */
  readonly isChosen: boolean
  /** For type `form`: the rows of the list, as they are stored. */
  readonly rows: readonly PlainObject[]
}

/** Returns the origin of a setting by its name, from the settings stored in `config`. */
export function originsIn<F extends Fields>(fields: F, config: Record<string, unknown>) {
  return (name: keyof F & string): Origin => {
    const field: Field | undefined = fields[name]
    const initial = field && isTyped(field) ? field.type : ''
    const type = String(config[`${name}Type`] ?? initial)
    const rows: unknown = config[`${name}Rows`]
    return {
      type,
      typed: config[name] ?? field?.initial,
      isChosen: type !== initial,
      rows: Array.isArray(rows) ? rows.map((row: unknown) => (isPlainObject(row) ? row : {})) : [],
    }
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
