/** The pages about the nodes are the help that people read in the editor. */
import should from 'should'
import { catalog, filesBelow, flatten, languages, nodeNames, pluginNames, read } from './support/house'

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

describe('the Norwegian pages', () => {
  const texts = [...nodeNames, ...pluginNames].flatMap((name) => Object.values(flatten(catalog('nb', name))))
  /** Node-RED's own words, which it does not have in Norwegian, and what stands in the two examples. */
  const others = [
    ...['Import', 'Done', 'Deploy', 'Add', 'Install', 'Manage palette', 'Examples', 'Help'],
    ...['@eid-flows/node-red-eid', '00-my-first-contract', '03-from-excel-and-word-to-signed-files'],
    ...['My first contract', 'CSV UTF-8'],
  ]
  const shown = new Set([...texts, ...others])

  for (const path of filesBelow('docs/nb', '.md')) {
    it(`say what the forms say, in ${path.split(/[\\/]/).pop()}`, () => {
      const page = read(path).replace(/\s+/g, ' ')
      const labels = [...page.matchAll(/(?<!\*)\*([^* ][^*]*)\*(?!\*)/g)].map((match) => match[1] ?? '')
      should(labels.length).be.above(10)
      should(labels.filter((label) => !shown.has(label))).deepEqual([])
    })
  }
})

const words = {
  'web message of the page': [
    ...['app_started', 'document_read', 'eid_selected', 'language_changed', 'spinner_on', 'spinner_off'],
    ...['outdated_browser', 'document_expired', 'user_canceled', 'sign_success', 'sign_error', 'already_signed'],
    ...['success', 'aborted', 'error'],
  ],
  'status of a session': [
    ...['created', 'user_initiated', 'success', 'failed', 'user_aborted', 'timed_out', 'invalidated'],
  ],
  'property that can be asked for': [
    ...['firstName', 'middleName', 'lastName', 'fullName', 'dateOfBirth', 'phoneNumber', 'nin', 'email'],
  ],
}

describe('the help', () => {
  const named: readonly [name: string, what: keyof typeof words][] = [
    ['embed', 'web message of the page'],
    ['wait', 'status of a session'],
    ['identification-session', 'status of a session'],
    ['identification-session', 'property that can be asked for'],
  ]
  for (const [name, what] of named) {
    it(`of ${name} names every ${what}`, () => {
      for (const language of languages) {
        const help = read('locales', language, `${name}.md`)
        should(words[what].filter((word) => !help.includes(`\`${word}\``))).deepEqual([])
      }
    })
  }

  it('says first what is needed', () => {
    const opening = {
      'en-US': /^(In the sandbox you|You) need (only|nothing)/,
      nb: /^(I sandkassen|Du) trenger (du )?(bare|ingenting)/,
    }
    for (const [language, words] of Object.entries(opening)) {
      const second = (name: string) => read('locales', language, `${name}.md`).split('\n\n')[1] ?? ''
      should(nodeNames.filter((name) => !words.test(second(name)))).deepEqual([])
    }
  })

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
