/** The shape of a node's table of settings, read by runtime, editor and tests. Data only. */

import type { RuleName } from './rules'
import type { TogetherName } from './together'

/**
 * Typed-input types. `tpl` (text with fields in braces), `auto`, `form`, `path`, `base64` and `days` (a moment this
 * many days from now) are ours; the others are Node-RED's.
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

/** Settings stored as they are, one property each. */
export type PlainKind = 'label' | 'text' | 'choice' | 'flag' | 'count' | 'config'
/** Settings that can differ from message to message, stored as `<name>` and `<name>Type`. */
export type TypedKind = 'string' | 'id' | 'number' | 'boolean' | 'object' | 'array' | 'any' | 'file'

/** Lists that the service provides; `deposits` are the client's own open deposits. */
export type ServiceList = 'themes' | 'spinners' | 'methods' | 'languages' | 'providers' | 'deposits'
/** The known calls of the service, such as `GET /signature/documents/{documentId}`. */
export type CallList = 'calls'

/** Values of other settings. */
export type OtherValues = Readonly<Record<string, readonly string[]>>

interface Common {
  /**
   * Applies only if each of these other settings has one of these values. Of several such conditions, one is enough.
   */
  readonly when?: OtherValues | readonly OtherValues[]
  /** Applies only if each of these other settings has one of these types. */
  readonly whenType?: Readonly<Record<string, readonly InputType[]>>
  /**
   * Refused before any call if missing. `request`: refused if the final request lacks it; the form shows that once it
   * is filled in.
   */
  readonly required?: boolean | 'request'
  /**
   * Narrows `required: 'request'`: only if each of these other settings has one of these values. A setting that comes
   * from the message has no value yet. Of several such conditions, one is enough.
   */
  readonly requiredWhen?: OtherValues | readonly OtherValues[]
  /** Narrows it further: only if each of these other settings has one of these types. */
  readonly requiredType?: Readonly<Record<string, readonly InputType[]>>
  /** Takes several values, with commas between them, so that its label is a plural. */
  readonly several?: boolean
  /** Types for which an empty value is allowed, although the setting is required. */
  readonly emptyTypes?: readonly InputType[]
  /** The list and column that may provide the value instead: not required if every row has one. */
  readonly orInRows?: readonly [list: string, column: string]
  /** In a list: the setting of the same name outside the list provides the value for all rows. */
  readonly orAround?: boolean
  /** A moment that must be in the future. */
  readonly future?: boolean
  /** Also required if this other setting is filled in. */
  readonly requiredWith?: string
  /** The rule that combines it with other settings, some of which only the message knows. */
  readonly together?: TogetherName
  /** In a list: each value must be in this column of another list of the form. */
  readonly among?: readonly [list: string, column: string]
  /** In a list: the value must differ in every row. */
  readonly unique?: boolean
  /** Part of the request that the form describes; filling it in makes the form the request. */
  readonly request?: boolean
  /**
   * Where the value goes in the request if the name differs: `amount.tenant`. The first place is the usual one, further
   * ones are alternative spellings.
   */
  readonly path?: string | readonly string[]
  /** A closed list of values. */
  readonly choices?: readonly string[]
  /** The choices grouped under headings, in the order of the form; each choice belongs to one group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /**
   * An open list of values that the form offers in words (`words.<setting>` of the catalog); any other value is
   * accepted too.
   */
  readonly suggestions?: readonly string[]
  /** The group in the client's catalog (`words.<group>`) that explains the values, if nodes share it. */
  readonly words?: string
  /** Its suggestions complete the typed text: there are too many to choose from, or they contain placeholders. */
  readonly completes?: boolean
  /** Which of the service's own lists the form also offers. */
  readonly suggest?: ServiceList | CallList
  /** The rule for every single value. */
  readonly rule?: RuleName
  /** For rule `dateTime`: a day without a time means its beginning, not its end. */
  readonly dayBegins?: boolean
  /** The required type of a JSON constant. */
  readonly json?: 'object' | 'array'
  /** The name of a Node-RED context store, known only to the editor and the server. */
  readonly contextStore?: boolean
  /** The flag that switches the rule off while ticked. */
  readonly ruleUnless?: string
  /**
   * In a list: shown only if a person opens the rest of a row, or if it holds a value. A name makes it part of a
   * section with its own heading (`folds.<name>` of the catalog).
   */
  readonly folded?: boolean | string
  /** In a list: the initial value in a new row; `__n__` is the row's number. */
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
  /** The type in a new node. */
  readonly type: InputType
  /**
   * May contain fields in braces (type `tpl`, offered first). `fileName`: each value becomes part of a file name.
   * `later`: filled in when more is known. `merge`: the service's own fields stay as they are.
   */
  readonly template?: true | 'fileName' | 'later' | 'merge'
  /** The types that the form offers; the usual ones for the kind if absent. */
  readonly types?: readonly InputType[]
  /** For kind `file`: the setting that decides what a text means, `content` or `path`. */
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

/** The values for a node's code: one per setting, read for one message. */
export type Values<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> }

type ValueOf<T extends Field> = T extends { rows: infer Rows extends Fields }
  ? ListValue<Rows> | undefined
  : T extends { kind: 'choice'; choices: readonly (infer Choice)[] }
    ? Choice
    : ValueOfKind[T['kind']]

/**
 * A list from the form, whose rows are typed like all other settings, or a list from elsewhere, which can hold
 * anything.
 */
export type ListValue<Rows extends Fields> =
  | { readonly from: 'form'; readonly rows: readonly Values<Rows>[] }
  | { readonly from: 'elsewhere'; readonly list: readonly unknown[] }

export function isTyped(field: Field): field is TypedField {
  return 'type' in field
}
