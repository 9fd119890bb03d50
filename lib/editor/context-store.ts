/** Checks the name of a context store against those of the server. */
import { variableIn } from '../common/environment'
import type { FormContext } from './form-context'

/**
 * The problem with a context store's name, as far as the editor knows the server's stores; undefined if there is no
 * problem.
 */
export function unknownStore(value: unknown, name: string, { text, common }: FormContext): string | undefined {
  const stores = RED.settings.context?.stores ?? []
  const isKnown = typeof value !== 'string' || value === '' || variableIn(value) !== undefined || stores.includes(value)
  if (isKnown || stores.length === 0) return undefined
  return common('problems.contextStore')
    .replace('__path__', text(`fields.${name}`))
    .replace('__stores__', stores.join(', '))
}
