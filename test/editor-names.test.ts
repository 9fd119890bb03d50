/**
 * Names that the editor uses on a node itself. The editor would overwrite a setting with such a name, and store its own
 * value at the next deploy.
 */
import should from 'should'
import { isTyped } from '../lib/settings/fields'
import { fieldsOf, nodeNames, read } from './support/house'

const sources = ['main.js', 'red.js'].map((file) => read('node_modules/@node-red/editor-client/public/red', file))

/**
 * Properties that the editor's code assigns to a node or deletes from it, and those that it does not accept as
 * settings.
 */
function editorNames(): Set<string> {
  const assigned = /\b(?:node|n|nn|d|newNode|editing_node|def_node)\.([A-Za-z_]\w*)\s*=(?!=)/g
  const removed = /\bdelete (?:node|n|nn|d)\.([A-Za-z_]\w*)/g
  const source = sources.join('\n')
  const refused = /internalProperties = \[([^\]]*)\]/.exec(source)?.[1] ?? ''
  const names = [assigned, removed].flatMap((pattern) => [...source.matchAll(pattern)].map(([, name = '']) => name))
  return new Set([...names, ...[...refused.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)])
}

describe('the names of settings', () => {
  const taken = editorNames()
  // Every node has a name, which the editor shows; only definitions of subflows have a category.
  for (const name of ['name', 'category']) taken.delete(name)

  it('are compared with names that the editor is known to use', () =>
    should([...taken]).containDeep(['status', 'x', 'y', 'z', 'd', 'g', 'l', 'w', 'h', 'id', 'type', 'valid', 'wires']))

  for (const name of nodeNames) {
    it(`of ${name} are not those of the editor`, async () => {
      const fields = await fieldsOf(name)
      const stored = Object.entries(fields).flatMap(([one, field]) =>
        isTyped(field) ? [one, `${one}Type`, ...(field.rows ? [`${one}Rows`] : [])] : [one],
      )
      should(stored.filter((one) => taken.has(one))).deepEqual([])
    })
  }
})
