/** The pages about the nodes are the help that people read in the editor. */
import should from 'should'
import { languages, nodeNames, read } from './house'

describe('docs/nodes', () => {
  for (const name of nodeNames) {
    it(`holds the help of ${name} as it is now (npm run docs)`, async () => {
      const { pageOf } = (await import('../scripts/docs.mjs' as string)) as { pageOf(name: string): string }
      should(read('docs', 'nodes', `${name}.md`)).equal(pageOf(name))
    })
  }
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
