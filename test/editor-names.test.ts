/**
 * Names that the editor uses on a node itself: a setting of the same name is overwritten, and stored at the next
 * deploy.
 */
import should from 'should'
import { isTyped } from '../lib/settings/fields'
import { fieldsOf, nodeNames, read } from './support/house'

const sources = ['main.js', 'red.js'].map((file) => read('node_modules/@node-red/editor-client/public/red', file))

/** What the editor's own code assigns to a node or takes away from it, and what it refuses as a setting. */
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
  // Every node has a name, by which the editor calls it; a category is that of a subflow's definition alone.
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
