/** Finds the sentences of a node in the language that Node-RED runs in, in English when there is no other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  english,
  fill,
  lookUp,
  spellOut,
  type TextParams,
  type Translate as AnyTranslate,
} from '../../api/errors/texts'
import type { Fields } from '../../settings/fields'
import { labelOf } from './labels'
import type { Runtime } from './node-red'

/**
 * Gives the text of a key; looks in the node's own catalogue first, then in the client's, which holds what
 * all nodes share.
 */
export type Translate = AnyTranslate & Required<Pick<AnyTranslate, 'label'>>

const packageName = '@eid-flows/node-red-eid'

/**
 * A text about a `count` of 1 may have words of its own, under the key with `One` behind it.
 * `set` is the node's name in every room (`create-document`); `fields` are its settings, whose labels name places of
 * the input.
 */
export function createTranslate(RED: Runtime, set: string, fields: Fields): Translate {
  const own = readCatalog(set)
  const plain = new Map<string, string>()
  const find = (key: string, params: TextParams): string | undefined => {
    const words = spellOut(params, (inner, others) => translate(inner, others))
    for (const catalog of [set, 'client']) {
      const full = `${packageName}/${catalog}:${key}`
      const text = RED._(full, { ...words })
      if (text !== full && text !== key) return text
    }
    const text = lookUp(own, key)
    if (text !== undefined) return fill(text, words)
    const shared = english(key, words)
    return shared === key ? undefined : shared
  }
  const translate = (key: string, params?: TextParams): string => {
    if (params) return (params.count === 1 ? find(`${key}One`, params) : undefined) ?? find(key, params) ?? key
    // The runtime's language never changes, and a text without parameters is asked for with every message.
    let text = plain.get(key)
    if (text === undefined) plain.set(key, (text = find(key, {}) ?? key))
    return text
  }
  return Object.assign(translate, { label: (path: string) => labelOf(path, fields, (key) => find(key, {})) })
}

function readCatalog(set: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, '../../../locales/en-US', `${set}.json`), 'utf8')) as unknown
}
