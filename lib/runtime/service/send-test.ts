/** What "Send a test" of a form shares among the nodes: the settings that are known without a message. */
import type { ApiClient } from '../../api/client'
import { variableIn } from '../../common/environment'
import type { TextParams } from '../../api/errors/texts'
import { isTyped, type Fields, type InputType, type Values } from '../../settings/fields'
import type { ClientSettings } from '../node-red/client-node'
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode } from '../node-red/node-red'
import { literalValue } from '../../settings/validation'
import { createReader } from '../values/values'
import type { ProblemKey } from '../../api/errors/errors'

/** One test, as a form asks for it. */
export interface TestOrder {
  readonly RED: Runtime
  /** The settings in the open form. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Who gets it; checked already. */
  readonly to: Readonly<Record<'email' | 'mobileCountryCode' | 'mobileNumber', string>>
  readonly api: ApiClient
  readonly client: ClientSettings
  readonly signal: AbortSignal
  /** A text of the node's catalogue or the client's. */
  readonly translate: (key: string, params?: TextParams) => string
}

/** What has been sent. */
export interface TestSent {
  readonly title: string
  readonly file: string
  /** Where the person who gets it goes; absent when the service does not tell. */
  readonly url?: string | undefined
  /** Settings that come with a message, and so were not in the test. */
  readonly left: readonly string[]
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

/** The stored form of `settings` without what only a message, a context or the environment knows. */
export function literalSettings(fields: Fields, settings: Readonly<Record<string, unknown>>) {
  const config: Record<string, unknown> = {}
  const left: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    const value = settings[name] ?? field.initial
    // The client of a test is the one that came with it.
    if (!isTyped(field)) config[name] = field.kind === 'config' ? name : value
    else {
      const type = String(settings[`${name}Type`] ?? field.type)
      // Variables are filled in when flows start: people who only have a form open must not see the value.
      const isKnownText = type !== 'tpl' || literalValue(type, value, { field }) !== undefined
      const known = literal.has(type) && isKnownText && variableIn(value) === undefined
      // What a new node takes from the message is not worth a word.
      if (!known && type !== 'auto' && (type !== field.type || value !== field.initial)) left.push(name)
      config[name] = known ? value : ''
      config[`${name}Type`] = known ? type : field.type
      if (field.rows) config[`${name}Rows`] = type === 'form' ? literalRows(field.rows, settings[`${name}Rows`]) : []
    }
  }
  return { config, left }
}

function literalRows(fields: Fields, rows: unknown): PlainObject[] {
  const list: unknown[] = Array.isArray(rows) ? rows : []
  return list.filter(isPlainObject).map((row) => literalSettings(fields, row).config)
}

/** Works out settings that need no message. */
export async function readLiteral<F extends Fields>(
  RED: Runtime,
  fields: F,
  config: Readonly<Record<string, unknown>>,
): Promise<{ values: Values<F>; problems: ProblemKey[] }> {
  // Nothing that is literal asks a node or a message.
  const read = createReader({ RED, node: {} as RuntimeNode }, fields, config as NodeConfig)
  return read({} as FlowMessage)
}
