/**
 * The order in which a node's settings are read: a text may contain the title and the first signer, and the rows of a
 * list may contain such texts.
 */
import { isTyped, type Field } from '../../settings/fields'
import { literalValue } from '../../settings/validation'
import type { NodeConfig } from '../node-red/node-red'

/**
 * Sorts settings for reading: first those that need no other setting, among them texts without fields in braces; then
 * the signers, then texts with fields, then all other lists of the form.
 */
export function inReadingOrder(settings: readonly [string, Field][], config: NodeConfig): [string, Field][] {
  const rankOf = ([name, field]: [string, Field]): number => {
    if (!isTyped(field)) return 0
    const type = String(config[`${name}Type`] ?? field.type)
    if (type === 'form') return name === 'signers' ? 1 : 3
    return type === 'tpl' && !literalValue(type, config[name] ?? field.initial, { field }) ? 2 : 0
  }
  return [...settings].sort((one, other) => rankOf(one) - rankOf(other))
}
