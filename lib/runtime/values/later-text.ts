/** Texts whose fields are filled in later, when values such as the document's title are known. */
import type { ProblemKey } from '../../api/errors/errors'
import { isTyped, type Field } from '../../settings/fields'
import { parseTemplate } from '../../settings/template'
import type { FlowMessage, NodeConfig } from '../node-red/node-red'
import { fillTemplate, type BuiltIn, type ReadVariable } from './template'

type LaterText = (msg: FlowMessage, problems: ProblemKey[], builtIn: BuiltIn) => string | undefined

/** The texts whose fields are filled in later, keyed by the name of their setting. */
export function laterTexts(
  used: readonly [string, Field][],
  config: NodeConfig,
  variable: ReadVariable,
): ReadonlyMap<string, LaterText> {
  const found = new Map<string, LaterText>()
  for (const [name, field] of used) {
    if (!isTyped(field) || field.template !== 'later' || (config[`${name}Type`] ?? field.type) !== 'tpl') continue
    const template = parseTemplate(String(config[name] ?? field.initial))
    found.set(name, (msg, problems, builtIn) => {
      if ('unclosed' in template) return void problems.push({ path: name, key: 'fieldUnclosed' })
      return fillTemplate(template.parts, msg, { path: name, asFileName: true, builtIn, variable }, problems)
    })
  }
  return found
}
