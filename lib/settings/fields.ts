/** The types of a node's table of settings, which runtime, editor and tests read. The tables contain only data. */

import type { RuleName } from './rules'
import type { TogetherName } from './together'

/**
 * The types of typed inputs. `tpl` (text with fields in braces), `auto`, `form`, `path`, `base64` and `days` (a moment
 * this many days from now) are our own types; the others are Node-RED's.
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

/** Kinds of settings that are stored as they are, in one property each. */
type PlainKind = 'label' | 'text' | 'choice' | 'flag' | 'count' | 'config'
/** Kinds of settings whose values can differ from message to message; stored as `<name>` and `<name>Type`. */
type TypedKind = 'string' | 'id' | 'number' | 'boolean' | 'object' | 'array' | 'any' | 'file'

/** Lists that the service provides; `deposits` are the client's own open deposits. */
export type ServiceList = 'themes' | 'spinners' | 'methods' | 'languages' | 'providers' | 'deposits'
/** The items that the "create share" nodes of the same flow register. */
type FlowList = 'shareItems'
/** The known calls of the service, such as `GET /signature/documents/{documentId}`. */
export type CallList = 'calls'

/** Values of other settings, keyed by setting. */
export type OtherValues = Readonly<Record<string, readonly string[]>>

interface Common {
  /**
   * The setting applies only if each of these other settings has one of these values. If there are several such
   * conditions, one of them is enough.
   */
  readonly when?: OtherValues | readonly OtherValues[]
  /** The setting applies only if each of these other settings has one of these types. */
  readonly whenType?: Readonly<Record<string, readonly InputType[]>>
  /**
   * If true, a message without this value is refused before any call. If `request`, the message is refused if the final
   * request lacks the value; the form shows this only once any setting of the request is filled in.
   */
  readonly required?: boolean | 'request'
  /**
   * Limits `required: 'request'`: the value is required only if each of these other settings has one of these values. A
   * condition on a setting whose value comes from the message is not met. If there are several such conditions, one of
   * them is enough.
   */
  readonly requiredWhen?: OtherValues | readonly OtherValues[]
  /** A further limit: the value is required only if each of these other settings has one of these types. */
  readonly requiredType?: Readonly<Record<string, readonly InputType[]>>
  /** True if the setting takes several values, separated by commas, so that its label is a plural. */
  readonly several?: boolean
  /** Types for which an empty value is allowed, although the setting is required. */
  readonly emptyTypes?: readonly InputType[]
  /**
   * The list and the column that may provide the value instead. If every row has a value in this column, the setting is
   * not required.
   */
  readonly orInRows?: readonly [list: string, column: string]
  /** In a list: the setting of the same name outside the list provides the value for all rows. */
  readonly orAround?: boolean
  /** True for a moment that must be in the future. */
  readonly future?: boolean
  /**
   * True for a protection. If the form names a property, a variable or an expression for it, a missing or empty value is
   * refused and never means that the protection is switched off. A boolean is on unless its value is clearly off.
   */
  readonly guard?: boolean
  /** The value is also required if this other setting is filled in. */
  readonly requiredWith?: string
  /**
   * The rule that checks the value together with other settings. Some of these may be unknown until the message
   * arrives.
   */
  readonly together?: TogetherName
  /** In a list: each value must be in this column of another list of the form. */
  readonly among?: readonly [list: string, column: string]
  /**
   * True if the setting is part of the request. If any such setting is filled in, the form provides the whole request;
   * otherwise the message may provide the request.
   */
  readonly unique?: boolean
  /**
   * True if the setting is part of the request that the form describes. If such a setting is filled in, the form is the
   * request.
   */
  readonly request?: boolean
  /**
   * The place of the value in the request, if it differs from the setting's name: `amount.tenant`. The first place is
   * the usual place; further places are alternative spellings.
   */
  readonly path?: string | readonly string[]
  /** A closed list of values. */
  readonly choices?: readonly string[]
  /** The choices grouped under headings, in the order of the form; each choice belongs to one group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>
  /**
   * Suggested values, which the form shows with labels from the catalog (`words.<setting>`); any other value is
   * accepted too.
   */
  readonly suggestions?: readonly string[]
  /** The group in the client's catalog (`words.<group>`) that explains the values, if several nodes share it. */
  readonly words?: string
  /**
   * True if the suggestions only complete the typed text, because there are too many to choose from, or because they
   * contain placeholders.
   */
  readonly completes?: boolean
  /** The list of the service, or of the flow, that the form also offers. */
  readonly suggest?: ServiceList | CallList | FlowList
  /** The rule that checks every single value. */
  readonly rule?: RuleName
  /**
   * For a date and time: whether a date alone means the beginning or the end of that day. The value is converted to ISO
   * 8601 with an offset.
   */
  readonly moment?: 'begins' | 'ends'
  /** The required type of a JSON constant. */
  readonly json?: 'object' | 'array'
  /** The name of the flag that switches off the rule while it is ticked. */
  readonly ruleUnless?: string
  /**
   * In a list: the setting is folded, so it is shown only if the user opens the rest of the row, or if the setting has
   * a value. A text is the name of the setting's section, which has its own heading (`folds.<name>` of the catalog).
   */
  readonly folded?: boolean | string
  /** In a list: true for a setting that the form stores but never shows, such as the id of a row. */
  readonly hidden?: boolean
  /** In a list: the initial value in a new row; `__n__` is the row's number, `__random__` an id of its own. */
  readonly newRowValue?: string
}

interface PlainField extends Common {
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
   * The value may contain fields in braces (type `tpl`, offered first). `fileName`: each inserted value becomes part of
   * a file name. `later`: the node fills in the fields later, when it knows their values. `merge`: the service's own
   * fields stay in the text.
   */
  readonly template?: true | 'fileName' | 'later' | 'merge'
  /** The types that the form offers; if absent, the usual types for the kind. */
  readonly types?: readonly InputType[]
  /**
   * For kind `file`: the name of the setting that decides whether a text is the content or a path (`content`, `path`).
   */
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

/** Where the bytes of a file are. */
export type FileValue =
  | { readonly from: 'buffer'; readonly buffer: Buffer }
  /**
   * `typed` is true if the path was entered in the form, so that errors may contain it. A path from a message may
   * contain anything, so errors must not contain it.
   */
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
 * A list from the form, whose rows are typed like all other settings, or a list from elsewhere, which can contain
 * anything.
 */
export type ListValue<Rows extends Fields> =
  | { readonly from: 'form'; readonly rows: readonly Values<Rows>[] }
  | { readonly from: 'elsewhere'; readonly list: readonly unknown[] }

export function isTyped(field: Field): field is TypedField {
  return 'type' in field
}
