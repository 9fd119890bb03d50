/** Finds the sentences of a node in the language that Node-RED runs in, in English when there is no other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { english, fill, lookUp, spellOut, type TextParams } from '../api/texts'
import type { Runtime } from './node-red'

/** Gives the text of a key; looks in the node's own catalogue first, then in the client's, which holds what all nodes share. */
export type Translate = (key: string, params?: TextParams) => string

const packageName = '@eid-flows/node-red-eid'

/** `set` is the node's name in every room (`create-document`). */
export function createTranslate(RED: Runtime, set: string): Translate {
  const own = readCatalog(set)
  const plain = new Map<string, string>()
  const translate: Translate = (key, params) => {
    if (params) return find(key, params)
    // The runtime's language never changes, and a text without parameters is asked for with every message.
    let text = plain.get(key)
    if (text === undefined) plain.set(key, (text = find(key, {})))
    return text
  }
  const find = (key: string, params: TextParams): string => {
    const words = spellOut(params, (inner) => translate(inner))
    for (const catalog of [set, 'client']) {
      const full = `${packageName}/${catalog}:${key}`
      const text = RED._(full, { ...words })
      if (text !== full && text !== key) return text
    }
    const text = lookUp(own, key)
    return text === undefined ? english(key, words) : fill(text, words)
  }
  return translate
}

function readCatalog(set: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, '../../locales/en-US', `${set}.json`), 'utf8')) as unknown
}
