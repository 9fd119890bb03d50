/** The sentences of the product, by key and parameters, so that a test does not quote their wording. */
import { fill, lookUp, spellOut, tidy, type TextParams } from '../../lib/api/errors/texts'
import { catalog } from './house'

/**
 * The sentence with this key from the texts of a node, or else of the client, filled in as the product does it. Throws
 * if there is no such sentence, if a placeholder has no value, or if the sentence has no place for a parameter.
 */
export function sentence(node: string, key: string, params: TextParams = {}, language = 'en-US'): string {
  const text = filled(node, key, params, language)
  const open = /__\w+?__/.exec(text)
  if (open) throw new Error(`${node}:${key} needs ${open[0]}`)
  return text
}

/** Like `sentence`, but as a pattern: a placeholder without a value stands for any text. */
export function saying(node: string, key: string, params: TextParams = {}, language = 'en-US'): RegExp {
  const text = filled(node, key, params, language).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(text.replace(/__\w+?__/g, '[^]*?'))
}

function filled(node: string, key: string, params: TextParams, language: string): string {
  const used = new Set<string>()
  const translate = (inner: string, values: TextParams): string => {
    const template = [node, 'client'].map((name) => lookUp(catalog(language, name), inner)).find((one) => one)
    if (template === undefined) throw new Error(`${node} has no text ${inner} in ${language}`)
    for (const [, name = ''] of template.matchAll(/__(\w+?)__/g)) used.add(name)
    return fill(template, spellOut(values, translate))
  }
  const text = tidy(translate(key, params))
  const unused = Object.keys(params).find((name) => !used.has(name))
  if (unused !== undefined) throw new Error(`${node}:${key} has no place for ${unused}`)
  return text
}
