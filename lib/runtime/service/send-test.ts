/** The part of "Send a test" that all nodes share: reads the settings whose values are known without a message. */
import type { ApiClient } from '../../api/client'
import { variableIn } from '../../common/environment'
import type { TextParams } from '../../api/errors/texts'
import { isTyped, type Field, type Fields, type InputType, type Values } from '../../settings/fields'
import type { ClientSettings } from '../node-red/client-node'
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode } from '../node-red/node-red'
import { leftToService } from '../../settings/merge-fields'
import { fieldNames, parseTemplate } from '../../settings/template'
import type { ListRow } from '../files/row-list'
import { messageOf, type RowAsShown } from '../values/as-shown'
import { builtInOf } from '../values/template'
import { createReader } from '../values/values'
import type { ProblemKey } from '../../api/errors/errors'

/** The test that a form asks to send. */
export interface TestOrder {
  readonly RED: Runtime
  /** The settings in the open form. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The recipient, already validated. */
  readonly to: Readonly<Record<'email' | 'mobileCountryCode' | 'mobileNumber', string>>
  readonly api: ApiClient
  readonly client: ClientSettings
  readonly signal: AbortSignal
  /** The row of a list that the form shows, with the row's number and the name of the list's file. */
  readonly listed?: (RowAsShown & { readonly number: number; readonly file: string }) | undefined
  /** A text of the node's catalog or the client's. */
  readonly translate: (key: string, params?: TextParams) => string
}

/** The result of sending. */
interface TestSent {
  readonly title: string
  readonly file: string
  /** The link for the recipient; absent if the service does not return it. */
  readonly url?: string | undefined
  /** Names of settings whose values come with a message, and were therefore left out of the test. */
  readonly left: readonly string[]
  /** Where the values for fields in braces came from; absent if there are no such fields. */
  readonly filled?: string | undefined
}

export type SendTest = (order: TestOrder) => Promise<TestSent>

const literal: ReadonlySet<string> = new Set<InputType>([
  'str',
  'tpl',
  'num',
  'bool',
  'json',
  'days',
  'path',
  'base64',
  'form',
])

/** What replaces a message in a test: the row of a list, if there is one. */
interface StandIn {
  readonly RED: Runtime
  readonly row: ListRow | undefined
}

/**
 * The settings as a node would store them, without values that only a message, a context or the environment provides.
 * Values that the stand-in provides are kept. `left` names the settings that are left out; `unknown` are the fields in
 * texts for which the stand-in has no value, so they get samples.
 */
export function literalSettings(fields: Fields, settings: Readonly<Record<string, unknown>>, standIn?: StandIn) {
  const config: Record<string, unknown> = {}
  const left: string[] = []
  const unknown: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    const value = settings[name] ?? field.initial
    // The name is only a placeholder, because the test uses the client that the form sends.
    if (!isTyped(field)) config[name] = field.kind === 'config' ? name : value
    else {
      const type = String(settings[`${name}Type`] ?? field.type)
      const lacking = type === 'tpl' ? lackingFields(field, value, standIn) : undefined
      // Environment variables are filled in when flows start. A test must not fill them in, because users who only have
      // a form open must not see their values.
      const isKnown = lacking !== undefined || (literal.has(type) && type !== 'tpl') || isInRow(type, value, standIn)
      const known = isKnown && variableIn(value) === undefined
      // A setting that is unchanged, or takes its value from the message by default, need not be mentioned.
      if (!known && type !== 'auto' && (type !== field.type || value !== field.initial)) left.push(name)
      else unknown.push(...(lacking ?? []))
      config[name] = known ? value : ''
      config[`${name}Type`] = known ? type : field.type
      if (!field.rows) continue
      const rows = type === 'form' ? literalRows(field.rows, settings[`${name}Rows`], standIn) : []
      config[`${name}Rows`] = rows.map((row) => row.config)
      unknown.push(...rows.flatMap((row) => row.unknown))
    }
  }
  return { config, left, unknown }
}

function literalRows(fields: Fields, rows: unknown, standIn: StandIn | undefined) {
  const list: unknown[] = Array.isArray(rows) ? rows : []
  return list
    .filter(isPlainObject)
    .map((row): ReturnType<typeof literalSettings> => literalSettings(fields, row, standIn))
}

/** The names of the fields in a text that have no value; undefined if the text can't be sent without these values. */
function lackingFields(field: Field, value: unknown, standIn: StandIn | undefined): string[] | undefined {
  const template = parseTemplate(String(value), leftToService(field))
  const names = 'parts' in template ? fieldNames(template) : undefined
  if (names?.length === 0) return []
  if (!names || !standIn) return undefined
  const lacking = names.filter((name) => !builtIn.has(name) && !Object.hasOwn(standIn.row ?? {}, name))
  // A setting with a rule gets no sample, because a sample is not, for example, a valid e-mail address.
  return lacking.length > 0 && field.rule !== undefined ? undefined : lacking
}

/** Fields that are available in every text. */
const builtIn: ReadonlySet<string> = new Set(Object.keys(builtInOf({}, 0)))

function isInRow(type: string, value: unknown, standIn: StandIn | undefined): boolean {
  if (type !== 'msg' || !standIn?.row || !/^payload[.[]/.test(String(value))) return false
  return standIn.RED.util.getMessageProperty({ payload: standIn.row }, String(value)) !== undefined
}

/** Reads settings whose values are known without a message, except those that `row` provides. */
export async function readLiteral<F extends Fields>(
  RED: Runtime,
  fields: F,
  config: Readonly<Record<string, unknown>>,
  row?: RowAsShown,
): Promise<{ values: Values<F>; problems: ProblemKey[] }> {
  // The node is only a placeholder, because reading these values does not use the node.
  const read = createReader({ RED, node: {} as RuntimeNode }, fields, config as NodeConfig)
  return read((row ? messageOf(row) : {}) as FlowMessage)
}
