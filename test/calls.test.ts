/** The table in docs/calls.md matches the table of calls in the code: no call is missing, and no entry is false. */
import should from 'should'
import { operations, type Operation, type OperationName } from '../lib/api/operations/operations'
import { catalog, exists, flatten, nodeNames, read } from './support/house'

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'))
const rows = read('docs', 'calls.md').match(/^\| `(GET|POST|PUT|PATCH|DELETE) .*$/gm) ?? []
const table = new Map(rows.map((line) => [cells(line)[0] ?? '', cells(line)]))
const callOf = ({ method, path }: Operation) => `${method} ${path}`
const all = Object.entries(operations) as [OperationName, Operation][]

/** The names of the nodes in the palette, each with the labels of its operations. */
const nodes = new Map(
  nodeNames.map((name) => {
    const texts = flatten(catalog('en-US', name))
    const words = Object.entries(texts).filter(([key]) => key.startsWith('choices.operation.'))
    return [texts.label, words.map(([, text]) => text)] as const
  }),
)

describe('docs/calls.md', () => {
  it('has one row for every call, and no other', () => {
    should(rows.length).equal(all.length)
    should([...table.keys()].sort()).deepEqual(all.map(([, one]) => callOf(one)).sort())
  })

  it('says for each call which scope it needs and when it is repeated', () => {
    for (const [, one] of all) {
      const [call, , scope, repeat] = table.get(callOf(one)) ?? []
      should([scope, repeat]).deepEqual([one.scope ?? '–', one.repeat], call)
    }
  })

  it('names nodes of the palette and what they can do', () => {
    for (const [call, [, maker = '']] of table) {
      for (const one of maker.split('; ')) {
        const [node = '', operation] = one
          .replace(/ \(what its form offers\)| \(when it registers itself\)/, '')
          .split(': ')
        should(nodes.has(node)).equal(true, `${call}: ${node}`)
        const isDone = operation === undefined || nodes.get(node)?.includes(operation)
        should(isDone).equal(true, `${call}: ${one}`)
      }
    }
  })

  it('leaves out nothing that a node can do with documents, shares and deposits', () => {
    const named = rows.flatMap((line) => (cells(line)[1] ?? '').split('; '))
    for (const node of ['document', 'share', 'deposit'])
      should((nodes.get(node) ?? []).filter((word) => !named.includes(`${node}: ${word}`))).deepEqual([])
  })

  it('names tests that exist and mention the call', () => {
    for (const [name, one] of all) {
      const [call, , , , wire = '', , effect = ''] = table.get(callOf(one)) ?? []
      for (const file of [wire, effect]) {
        should(exists('test', file)).equal(true, `${call}: ${file}`)
        const last = one.path
          .split('/')
          .filter((part) => part !== '' && !part.startsWith('{'))
          .at(-1)
        const source = read('test', file)
        // This test goes through all operations.
        const speaks =
          source.includes('Object.keys(operations)') || source.includes(name) || source.includes(`/${last}`)
        should(speaks).equal(true, `${call}: ${file} does not speak of it`)
      }
    }
  })
})
