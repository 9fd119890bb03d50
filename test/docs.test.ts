/** The pages about the nodes are the help that people read in the editor. */
import should from 'should'
import { basename, dirname } from 'node:path'
import {
  catalog,
  exampleTitles,
  fieldsOf,
  filesBelow,
  flatten,
  languages,
  nodeNames,
  pluginNames,
  read,
} from './support/house'
import { loadScript } from './support/scripts'
import { helpPane } from './support/node-red/help-pane'

describe('docs/nodes', () => {
  for (const name of nodeNames) {
    it(`holds the help of ${name} as it is now (npm run docs)`, async () => {
      const { pageOf } = await loadScript<{ pageOf(name: string): string }>('docs')
      should(read('docs', 'nodes', `${name}.md`)).equal(pageOf(name))
    })
  }
})

describe('the README', () => {
  it('asks for a PDF by the ending of its path alone, as the form does', () => {
    should(read('README.md')).match(/enter a path that\s+ends in `\.pdf`/)
    should(read('README.md')).not.match(/PAdES/)
  })

  it('says where the first contract is after npm start, as the Norwegian page does', () => {
    const [, folder = ''] =
      /userDir = values\.folder \?\? join\(root, ('[^)]*')\)/.exec(read('scripts/start.mjs')) ?? []
    const contracts = `\`${[...folder.matchAll(/'([^']+)'/g)].map(([, part]) => part).join('/')}/contracts\``
    for (const page of ['README.md', 'docs/nb/kom-i-gang.md']) should(read(page)).containEql(contracts)
  })

  it('calls the nodes what the palette calls them, in the order of the palette, and leaves none out', () => {
    const [, table = ''] = read('README.md').split('| node | what it does |')
    const named = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([a-z ]+) \|/gm)].map((match) => match[1])
    const { 'node-red': parts } = JSON.parse(read('package.json')) as { 'node-red': { nodes: object } }
    const shown = Object.keys(parts.nodes)
      .filter((name) => !['client', 'store'].includes(name))
      .map((name) => catalog('en-US', name).label)
    should(named).deepEqual(shown)
  })
})

describe('the pages for users', () => {
  /** Names in italics that are not labels of our forms: labels of Node-RED itself, and other names. */
  const others = [
    'Import',
    'Done',
    'Deploy',
    'Add',
    'Install',
    'Manage palette',
    'Examples',
    'Help',
    'switch',
    '@eid-flows/node-red-eid',
    'My first contract',
    'CSV UTF-8',
    'Sandbox',
    ...filesBelow('examples', '.json').flatMap((path) => [basename(path, '.json'), basename(dirname(path))]),
    ...exampleTitles,
  ]
  const english = [
    'from-excel-and-word',
    'monday-morning',
    'archive',
    'contract',
    'deposits',
    'sharing',
    'identification',
    'backup-and-upgrade',
  ]
  const pages = [
    ...english.map((name) => ['en-US', `docs/${name}.md`] as const),
    ...filesBelow('docs/nb', '.md').map((path) => ['nb', path] as const),
  ]
  for (const [language, path] of pages) {
    it(`say what the forms say, in ${path.split(/[\\/]/).pop()}`, () => {
      const texts = [...nodeNames, ...pluginNames].flatMap((name) => Object.values(flatten(catalog(language, name))))
      const shown = new Set([...texts, ...others])
      const page = read(path).replace(/\s+/g, ' ')
      const labels = [...page.matchAll(/(?<!\*)\*([^* ][^*]*)\*(?!\*)/g)].map((match) => match[1] ?? '')
      should(labels).not.be.empty()
      should(labels.filter((label) => !shown.has(label))).deepEqual([])
    })
  }

  it('tell in Norwegian what every example does and needs', () => {
    const names = filesBelow('examples', '.json').map((path) => basename(path, '.json'))
    const sections = read('docs/nb/eksempler.md').split(/^### /m).slice(1)
    should(sections.map((section) => section.split('\n')[0] ?? '').sort()).deepEqual(names.sort())
    should(sections.filter((section) => !/\*\*[^*]+\*\*[^]*\nDu trenger: /.test(section))).deepEqual([])
  })

  it('are in the index', () => {
    const index = read('docs/README.md')
    const pages = filesBelow('docs', '.md').map((path) => path.replaceAll('\\', '/').replace('docs/', ''))
    const own = pages.filter((path) => !/^(nodes|decisions)\/|^README/.test(path))
    should(own.filter((path) => !index.includes(`](${path})`))).deepEqual([])
  })
})

const words = {
  'web message of the page': [
    'app_started',
    'document_read',
    'eid_selected',
    'language_changed',
    'spinner_on',
    'spinner_off',
    'outdated_browser',
    'document_expired',
    'user_canceled',
    'sign_success',
    'sign_error',
    'already_signed',
    'success',
    'aborted',
    'error',
  ],
  'status of a session': ['created', 'user_initiated', 'success', 'failed', 'user_aborted', 'timed_out', 'invalidated'],
  'property that can be asked for': [
    'firstName',
    'middleName',
    'lastName',
    'fullName',
    'dateOfBirth',
    'phoneNumber',
    'nin',
    'email',
  ],
}

/** The letters and digits of a text: what is left without the marks of Markdown. */
const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

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

  for (const name of nodeNames) {
    it(`of ${name} says of each list whether the payload is an array`, async () => {
      const lists = ((await fieldsOf(name)).operation?.choices ?? []).filter((one) => one.startsWith('list'))
      for (const language of languages) {
        const words = flatten(catalog(language, name))
        const [, outputs = ''] = read('locales', language, `${name}.md`).split(/^### (?:Outputs|Utdata)$/m)
        const payload = (outputs.match(/^(?:: payload|`payload` :) .*$/gm) ?? []).join(' ')
        should(lists.filter((one) => !payload.includes(`*${words[`choices.operation.${one}`]}*`))).deepEqual([])
      }
    })
  }

  it('and the form say where the folder of the archive is, if only its name is given', () => {
    should(read('nodes/archive/archive.html')).match(/name="archiveFolder"[^\n]*data-i18n="tips\.archiveFolder"/)
    for (const language of languages) {
      const tip = flatten(catalog(language, 'archive'))['tips.archiveFolder']
      for (const text of [tip, read('locales', language, 'archive.md')]) {
        should(text).match(/[Nn]ode-RED (?:was started|ble startet), (?:or|eller) \S+ `?fileWorkingDirectory/)
      }
    }
  })

  it('of document names every format that a file can be fetched in', async () => {
    const formats = (await fieldsOf('document')).fileFormat?.suggestions ?? []
    should(formats).containEql('packaged')
    for (const language of languages) {
      const line =
        /^- \*\*(?:File format|Filformat)\*\*: .*$/m.exec(read('locales', language, 'document.md'))?.[0] ?? ''
      should(formats.filter((one) => !line.includes(`*${one}*`))).deepEqual([])
    }
  })

  it('says in one place what happens when a call fails', () => {
    const misplaced = (language: string, name: string) => {
      const sections = read('locales', language, `${name}.md`).split(/^#{3,4} /m)
      const isFailing = (section: string) => /^(When a call fails|Når et kall feiler)\n/.test(section)
      const ours = sections.filter(isFailing)
      return ours.length > 0 && !ours.every((section) => /^(Errors|Feil) .*\*Catch\*/m.test(section))
    }
    for (const language of languages) should(nodeNames.filter((name) => misplaced(language, name))).deepEqual([])
  })

  it('and the pages for users say that no node is marked while no scope is ticked', () => {
    const said = /red triangle [^.]*no scope is ticked|rød trekant[^:]*ingen (?:tilganger )?er krysset av/
    const pages = ['README.md', 'docs/nb/kom-i-gang.md', 'locales/en-US/client.md', 'locales/nb/client.md']
    should(pages.filter((page) => !said.test(read(page).replace(/\s+/g, ' ')))).deepEqual([])
  })

  it('shows little at first: at most 1,200 words above the fold, and no point of a list over 250 letters', () => {
    const pages = languages.flatMap((language) => nodeNames.map((name) => [language, `${name}.md`] as const))
    const above = (page: string) => page.split('<details>')[0] ?? ''
    const long = (page: string) =>
      page.split('\n').filter((line) => /^ *(- |: |\d+\. )/.test(line) && line.length > 250)
    for (const [language, name] of pages) {
      const page = read('locales', language, name)
      should(above(page).split(/\s+/).length).be.belowOrEqual(1200, name)
      should(page).match(/<details>\n<summary>[^<]+<\/summary>\n[^]*\n<\/details>\n/)
      should(long(page)).deepEqual([], name)
    }
    should(helpPane()(read('locales/en-US/wait.md'))).match(/<details>\s*<summary>[^<]+<\/summary>\s*<[^]*<strong>/)
  })

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

  const shown = helpPane()
  for (const name of nodeNames) {
    it(`of ${name} shows every sentence in the editor, in every language`, () => {
      for (const language of languages) {
        const file = read('dist', 'nodes', name, 'locales', language, `${name}.html`)
        const [, markdown = ''] = /^<script [^>]*>\n([^]*)<\/script>\n$/.exec(file) ?? []
        const pane = lettersOf(
          shown(markdown)
            .replace(/<[^>]*>/g, '')
            .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))
            .replace(/&(?:amp|lt|gt|quot);/g, ''),
        )
        const source = read('locales', language, `${name}.md`)
        const lines = source.replace(/\]\([^)]*\)|^\d+\. |<\/?(?:details|summary)>/gm, '').split('\n')
        should(lines.filter((line) => !pane.includes(lettersOf(line)))).deepEqual([], `${language}/${name}.md`)
      }
    })
  }

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
