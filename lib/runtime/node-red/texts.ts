/** Looks up a node's sentences in Node-RED's language, or else in English. */
import { existsSync, readFileSync } from 'node:fs'
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
 * Returns the text of a key, from the node's own catalog or else from the client's catalog, which contains the common
 * texts.
 */
export type Translate = AnyTranslate & Required<Pick<AnyTranslate, 'label'>>

const packageName = '@eid-flows/node-red-eid'

/**
 * Creates the function that returns a node's texts. `set` is the node's folder name (`create-document`); `fields` are
 * the node's settings, whose labels replace paths of the input in sentences. A text may have a singular form under its
 * key followed by `One`, which is used if the parameter `count` is 1.
 */
export function createTranslate(RED: Runtime, set: string, fields: Fields): Translate {
  const own = readCatalog('en-US', set)
  fieldsBySet.set(set, fields)
  const plain = new Map<string, string>()
  const find = (key: string, params: TextParams): string | undefined => {
    const words = spellOut(params, (inner, others) => translate(inner, others))
    for (const catalog of [set, 'client']) {
      const full = `${packageName}/${catalog}:${key}`
      const text = RED._(full, marksFor(words))
      if (text !== full && text !== key) return fillMarks(text, words)
    }
    const text = lookUp(own, key)
    if (text !== undefined) return fill(text, words)
    const shared = english(key, words)
    return shared === key ? undefined : shared
  }
  const translate = (key: string, params?: TextParams): string => {
    if (params) return (params.count === 1 ? find(`${key}One`, params) : undefined) ?? find(key, params) ?? key
    // Texts without parameters are cached: they are used for every message, and the runtime's language never changes.
    let text = plain.get(key)
    if (text === undefined) plain.set(key, (text = find(key, {}) ?? key))
    return text
  }
  return Object.assign(translate, { label: (path: string) => labelOf(path, fields, (key) => find(key, {})) })
}

/**
 * Marks that stand for the texts, because Node-RED would also replace a placeholder inside a text: a title may contain
 * `__since__`.
 */
function marksFor(words: TextParams): TextParams {
  return Object.fromEntries(
    Object.entries(words).map(([name, value]) => [name, typeof value === 'string' ? `\u0001${name}\u0001` : value]),
  )
}

function fillMarks(text: string, words: TextParams): string {
  return text
    .split('\u0001')
    .map((part, at) => (at % 2 === 1 ? String(words[part]) : part))
    .join('')
}

/** The settings of each registered type of node, for the labels in its sentences. */
const fieldsBySet = new Map<string, Fields>()

/**
 * The texts of a node in the reader's language, such as `nb` or `en-GB`; undefined if there are no texts in this
 * language, or if Node-RED has not loaded the node.
 */
export function translateInto(language: string, set: string): Translate | undefined {
  const fields = fieldsBySet.get(set)
  const folder = folders.get(language.split('-')[0]?.toLowerCase() ?? '')
  if (!fields || folder === undefined) return undefined
  const texts = [set, 'client'].map((name) => readCatalog(folder, name))
  const find = (key: string, params: TextParams): string | undefined => {
    const words = spellOut(params, (inner, others) => translate(inner, others))
    const text = texts.map((catalog) => lookUp(catalog, key)).find((one) => one !== undefined)
    return text === undefined ? undefined : fill(text, words)
  }
  const translate = (key: string, params: TextParams = {}) =>
    (params.count === 1 ? find(`${key}One`, params) : undefined) ?? find(key, params) ?? english(key, params)
  return Object.assign(translate, { label: (path: string) => labelOf(path, fields, (key) => find(key, {})) })
}

/** The folders of the nodes' texts, by language. */
const folders = new Map([
  ['en', 'en-US'],
  ['nb', 'nb'],
])

const catalogs = new Map<string, unknown>()

/** Reads a catalog, only once, because the files of a package do not change while it runs. */
function readCatalog(folder: string, set: string): unknown {
  const path = join('locales', folder, `${set}.json`)
  const root = join(__dirname, '../../..')
  if (!catalogs.has(path)) {
    // In the package, each node and plugin has its own folder, in which Node-RED looks for texts.
    const beside = ['nodes', 'plugins'].map((room) => join(root, room, set, path)).find((one) => existsSync(one))
    catalogs.set(path, JSON.parse(readFileSync(beside ?? join(root, path), 'utf8')))
  }
  return catalogs.get(path)
}
