/** The pages about the nodes are the help that people read in the editor. */
import should from 'should'
import { catalog, languages, nodeNames, read } from './house'

describe('docs/nodes', () => {
  for (const name of nodeNames) {
    it(`holds the help of ${name} as it is now (npm run docs)`, async () => {
      const { pageOf } = (await import('../scripts/docs.mjs' as string)) as { pageOf(name: string): string }
      should(read('docs', 'nodes', `${name}.md`)).equal(pageOf(name))
    })
  }
})

describe('the README', () => {
  it('calls the nodes what the palette calls them, and leaves none out', () => {
    const [, table = ''] = read('README.md').split('| node | what it does |')
    const named = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([a-z ]+) \|/gm)].map((match) => match[1])
    const shown = nodeNames
      .filter((name) => !['client', 'store'].includes(name))
      .map((name) => catalog('en-US', name).label)
    should(named.sort()).deepEqual(shown.sort())
  })
})

describe('the help', () => {
  for (const name of nodeNames) {
    it(`of ${name} has property lists that the editor can read`, () => {
      for (const language of languages) {
        // A second colon ends the list in the editor, and the line shows as plain text.
        const properties = read('locales', language, `${name}.md`).match(/^: .*$/gm) ?? []
        should(properties.filter((line) => !/^: [^:]+\([^:)]+\) : [^:]+$/.test(line))).deepEqual([])
      }
    })
  }
})
