/** The shape of a node's table of settings, which runtime, editor and tests read. Data only. */

import type { RuleName } from './rules'
import type { TogetherName } from './together'

/**
 * Typed-input types. `tpl` (text with fields in braces), `auto`, `form`, `path`, `base64` and `days` (a moment so many
 * days from now) are ours; the others are Node-RED's.
 */
export type InputType =
  | 'str'
  | 'tpl'
  | 'num'
  | 'bool'
  | 'json'
  | 'bin'
  | 'msg'
  | 'flow'
  | 'global'
  | 'env'
  | 'jsonata'
  | 'auto'
  | 'form'
  | 'path'
  | 'base64'
  | 'days'

/** Settings that are stored as they are, one property each. */
export type PlainKind = 'label' | 'text' | 'choice' | 'flag' | 'count' | 'config'
/** Settings that can differ from message to message: stored as `<name>` and `<name>Type`. */
export type TypedKind = 'string' | 'id' | 'number' | 'boolean' | 'object' | 'array' | 'any' | 'file'

/** Lists that the service has; `deposits` are the client's own that have not ended. */
export type ServiceList = 'themes' | 'spinners' | 'methods' | 'languages' | 'providers' | 'deposits'
/** The calls of the service that are known, as `GET /signature/documents/{documentId}`. */
export type CallList = 'calls'

/** Values that other settings have. */
export type OtherValues = Readonly<Record<string, readonly string[]>>

interface Common {
  /**
   * Only meaningful when each of these other settings has one of these values. Of several such conditions one is
   * enough.
   */
  readonly when?: OtherValues | readonly OtherValues[]
  /** Only meaningful when each of these other settings is given as one of these types. */
  readonly whenType?: Readonly<Record<string, readonly InputType[]>>
  /**
   * Refused before any call when it is missing; `request`: when the request that is sent lacks it, which the form
   * shows once it is filled in.
   */
  readonly required?: boolean | 'request'
  /**
   * Narrows `required: 'request'`: only when each of these other settings has one of these values. A setting that comes
   * from the message has no value yet. Of several such conditions one is enough.
   */
  readonly requiredWhen?: OtherValues | readonly OtherValues[]
  /** Narrows it further: only when each of these other settings is given as one of these types. */
  readonly requiredType?: Readonly<Record<string, readonly InputType[]>>
  /** Types in which nothing is a value too, although the setting is required. */
  readonly emptyTypes?: readonly InputType[]
  /** The list, and its column, that may give the value instead: it is not required when every row has one. */
  readonly orInRows?: readonly [list: string, column: string]
  /** In a list: the setting of the same name around it gives the value for all rows. */
  readonly orAround?: boolean
  /** A moment that must not have passed. */
  readonly future?: boolean
  /** Required as well when this other setting is filled in. */
  readonly requiredWith?: string
  /** The rule for it together with other settings, some of which only the message knows. */
  readonly together?: TogetherName
  /** In a list: each of its values is in this column of another list of the form. */
  readonly among?: readonly [list: string, column: string]
  /** In a list: no two rows have the same. */
  readonly unique?: boolean
  /** Belongs to the request that the form describes; touching it makes the form the request. */
  readonly request?: boolean
  /**
   * Where the value is in the request, when it has another name there: `amount.tenant`. The first place is
   * the usual one, further ones are other spellings.
   */
  readonly path?: string | readonly string[]
  /** A closed list of values. */
  readonly choices?: readonly string[]
  /** The choices under headings, in the order of the form; each choice is under one of them. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /**
   * An open list of values that the form offers by their words (`words.<setting>` of the catalogue); any other value
   * passes.
   */
  readonly suggestions?: readonly string[]
  /** The words of the client's catalogue (`words.<group>`) that say what the values mean, where nodes share them. */
  readonly words?: string
  /** Its suggestions complete what is typed, unchanged: there are too many to choose from, or they have gaps. */
  readonly completes?: boolean
  /** Which of the service's own lists the form offers as well. */
  readonly suggest?: ServiceList | CallList
  /** What every single value must be like. */
  readonly rule?: RuleName
  /** For rule `dateTime`: a day without a time means its beginning, not its end. */
  readonly dayBegins?: boolean
  /** What a JSON constant must be. */
  readonly json?: 'object' | 'array'
  /** The name of a context store of Node-RED, which only the editor and the server know. */
  readonly contextStore?: boolean
  /** The flag that lifts the rule while it is ticked. */
  readonly ruleUnless?: string
  /**
   * In a list: only shown when a person opens the rest of a row, or it holds a value. A name is a part of the rest with
   * a heading of its own (`folds.<name>` of the catalogue).
   */
  readonly folded?: boolean | string
  /** In a list: what a new row shows at first; `__n__` is the number of the row. */
  readonly newRowValue?: string
}

export interface PlainField extends Common {
  readonly kind: PlainKind
  readonly initial: string | number | boolean
  /** Type of the config node that a `config` setting refers to. */
  readonly config?: string
}

export interface TypedField extends Common {
  readonly kind: TypedKind
  readonly initial: string | number | boolean
  /** The type that a fresh node has. */
  readonly type: InputType
  /**
   * May hold fields in braces (type `tpl`, offered first); `fileName`: each value becomes a part of a file name;
   * `later`: filled in when more is known; `merge`: those that the service fills in itself stay as they are.
   */
  readonly template?: true | 'fileName' | 'later' | 'merge'
  /** The types that the form offers; the usual ones for the kind when absent. */
  readonly types?: readonly InputType[]
  /** For kind `file`: the choice that says what a text means, `content` or `path`. */
  readonly as?: string
  /** For type `form`: the settings of each row, stored as an array in `<name>Rows`. */
  readonly rows?: Fields
}

export type Field = PlainField | TypedField
export type Fields = Readonly<Record<string, Field>>

interface ValueOfKind {
  label: string
  text: string
  choice: string
  flag: boolean
  count: number
  config: string
  string: string | undefined
  id: string | undefined
  number: number | undefined
  boolean: boolean | undefined
  object: Record<string, unknown> | undefined
  array: unknown[] | undefined
  any: unknown
  file: FileValue | undefined
}

/** Where the bytes of a file come from. */
export type FileValue =
  | { readonly from: 'buffer'; readonly buffer: Buffer }
  /** `typed`: entered in the form, so errors may name it. A path from a message may contain anything. */
  | { readonly from: 'path'; readonly path: string; readonly typed?: boolean }
  | { readonly from: 'stream'; readonly stream: NodeJS.ReadableStream }

/** The values that a node's code works with: one per setting, read for one message. */
export type Values<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> }

type ValueOf<T extends Field> = T extends { rows: infer Rows extends Fields }
  ? ListValue<Rows> | undefined
  : T extends { kind: 'choice'; choices: readonly (infer Choice)[] }
    ? Choice
    : ValueOfKind[T['kind']]

/**
 * A list of the form, whose rows are typed like all other settings; or one from elsewhere, which can hold anything.
 */
export type ListValue<Rows extends Fields> =
  | { readonly from: 'form'; readonly rows: readonly Values<Rows>[] }
  | { readonly from: 'elsewhere'; readonly list: readonly unknown[] }

export function isTyped(field: Field): field is TypedField {
  return 'type' in field
}
