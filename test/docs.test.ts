/** The pages about the nodes are the help that people read in the editor. */
import should from 'should'
import { nodeNames, read } from './house'

describe('docs/nodes', () => {
  for (const name of nodeNames) {
    it(`holds the help of ${name} as it is now (npm run docs)`, async () => {
      const { pageOf } = (await import('../scripts/docs.mjs' as string)) as { pageOf(name: string): string }
      should(read('docs', 'nodes', `${name}.md`)).equal(pageOf(name))
    })
  }
})
