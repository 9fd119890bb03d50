/**
 * The shape of the project: each node has the same name in every folder, each text is in every language, and imports
 * point one way.
 */
import 'should'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes } from '../lib/api/errors/errors'
import { isTyped, type Field, type Fields } from '../lib/settings/fields'
import { unusedExports } from './support/exports'
import {
  catalog,
  exists,
  fieldsOf,
  filesBelow,
  flatten,
  languages,
  nodeNames,
  pluginNames,
  read,
  root,
  visitorLanguages,
} from './support/house'

const manifest = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, object>
  'node-red': { nodes: Record<string, string>; plugins: Record<string, string> }
}

/** The icons of the editor's own stylesheet. */
const drawable = read('node_modules/@node-red/editor-client/public/vendor/font-awesome/css/font-awesome.min.css')

describe('the house', () => {
  it('registers every node folder under its own name', () => {
    const expected = Object.fromEntries(nodeNames.map((name) => [name, `dist/nodes/${name}/${name}.js`]))
    manifest['node-red'].nodes.should.deepEqual(expected)
  })

  it('registers every plugin folder under its own name, which is that of no node', () => {
    const expected = Object.fromEntries(pluginNames.map((name) => [name, `dist/plugins/${name}/${name}.js`]))
    manifest['node-red'].plugins.should.deepEqual(expected)
    pluginNames.filter((name) => nodeNames.includes(name)).should.deepEqual([])
  })

  for (const name of pluginNames) {
    it(`has all rooms of the plugin ${name}, and says the same in every language`, () => {
      const rooms = [
        ...['.ts', '.editor.ts', '.html'].map((ending) => `plugins/${name}/${name}${ending}`),
        `test/plugins/${name}.test.ts`,
        ...languages.map((language) => `locales/${language}/${name}.json`),
      ]
      rooms.filter((room) => !exists(room)).should.deepEqual([])
      saysTheSame(name)
    })

    it(`has a use for every text of the plugin ${name}`, () => {
      // Texts of buttons that the overview page has too are in lib/runtime/people.
      const code = [`plugins/${name}`, 'lib/runtime/people']
        .flatMap((folder) => filesBelow(folder, '.ts'))
        .map((path) => read(path))
      const keys = Object.keys(flatten(catalog('en-US', name)))
      // A key may be composed in a template: its beginning then comes before the inserted parts.
      const beginnings = (key: string) =>
        key.split('.').map((_part, at, parts) => `\`${parts.slice(0, at).join('.')}.\${`)
      const isUsed = (key: string) =>
        code.some((source) => [`'${key}'`, ...beginnings(key)].some((one) => source.includes(one)))
      keys.filter((key) => !isUsed(key)).should.deepEqual([])
    })
  }

  it('has at most ten runtime dependencies, and says of each what it is for', () => {
    const names = Object.keys(manifest.dependencies)
    names.length.should.be.belowOrEqual(10)
    const rows = [...read('docs/decisions/005-dependencies.md').matchAll(/^\| ((?!package )[^ ]+) \| .{10,} \|$/gm)]
    rows.map(([, name]) => name).should.deepEqual(names.sort())
  })

  it('leaves the database to those who have one', () => {
    manifest.peerDependencies.should.have.keys('pg')
    manifest.peerDependenciesMeta.should.deepEqual({ pg: { optional: true } })
  })

  for (const name of nodeNames) {
    describe(name, () => {
      it('has all of its rooms', () => {
        const rooms = [
          `nodes/${name}/${name}.ts`,
          `nodes/${name}/${name}.fields.ts`,
          `nodes/${name}/${name}.editor.ts`,
          `nodes/${name}/${name}.html`,
          `icons/${name}.svg`,
          `test/nodes/${name}.test.ts`,
          ...languages.flatMap((language) => [`locales/${language}/${name}.json`, `locales/${language}/${name}.md`]),
        ]
        rooms.filter((room) => !exists(room)).should.deepEqual([])
      })

      it('gives every setting an input and a label in every language', async () => {
        const fields = await fieldsOf(name)
        const html = read('nodes', name, `${name}.html`)
        const missing = Object.keys(fields).filter(
          (field) => !html.includes(`<row name="${field}"`) && !html.includes(`input-${field}"`),
        )
        missing.should.deepEqual([])
        for (const language of languages) unlabelled(fields, flatten(catalog(language, name))).should.deepEqual([])
      })

      it('puts every choice under one heading, where it has headings', async () => {
        for (const { groups, choices = [] } of Object.values<Field>(await fieldsOf(name))) {
          if (groups)
            Object.values(groups)
              .flat()
              .should.deepEqual([...choices])
        }
      })

      it('has a word for every value that its form offers, in every language', async () => {
        const fields = await fieldsOf(name)
        for (const language of languages) {
          const own = flatten(catalog(language, name))
          wordless(fields, own, flatten(catalog(language, 'client'))).should.deepEqual([])
        }
      })

      it('has every key that its form uses, in every language', () => {
        const html = read('nodes', name, `${name}.html`)
        const used = [...html.matchAll(/data-i18n="([^"]+)"/g)].flatMap((match) =>
          (match[1] ?? '').split(';').map((key) => key.replace(/^\[\w+\]/, '')),
        )
        used.push(...[...html.matchAll(/data-tab="([^"]+)"/g)].map(([, tab]) => `tabs.${tab}`))
        for (const language of languages) {
          const texts = flatten(catalog(language, name))
          used.filter((key) => !key.includes(':') && !(key in texts)).should.deepEqual([])
        }
      })

      it('has only icons that the editor can draw', () => {
        const html = read('nodes', name, `${name}.html`)
        const icons = [...html.matchAll(/ icon="([^"]+)"|class="fa fa-([^" ]+)"/g)].map((found) => found[1] ?? found[2])
        icons.filter((icon) => !drawable.includes(`.fa-${icon}:before`)).should.deepEqual([])
      })

      it('says the same things with the same placeholders in every language', () => saysTheSame(name))

      it('explains every setting in its help, in every language', async () => {
        const fields = await fieldsOf(name)
        for (const language of languages) {
          const help = read('locales', language, `${name}.md`).toLowerCase()
          const labels = flatten(catalog(language, name))
          const silent = Object.keys(fields).filter((field) => {
            const label = (labels[`fields.${field}`] ?? field).toLowerCase()
            return !help.includes(label) && !help.includes(field.toLowerCase())
          })
          silent.should.deepEqual([], `${language}/${name}.md says nothing of these settings`)
        }
      })

      it('explains every column of a list, and every choice that changes the form, in every language', async () => {
        const fields = await fieldsOf(name)
        const keys = [...columnsOf(fields), ...choicesOf(fields)]
        for (const language of languages) {
          const help = read('locales', language, `${name}.md`).toLowerCase()
          const texts = flatten(catalog(language, name))
          // The help describes in other words what a label adds in brackets.
          const nameOf = (key: string) => (texts[key] ?? key).replace(/ \(.*\)$/, '').toLowerCase()
          const silent = keys.filter((key) => !help.includes(nameOf(key)))
          silent.should.deepEqual([], `${language}/${name}.md says nothing of these`)
        }
      })
    })
  }

  it('knows each of its languages', () => {
    readdirSync(join(root, 'locales'))
      .sort()
      .should.deepEqual([...languages, ...visitorLanguages].sort())
  })

  it('speaks to visitors of its page in all languages of the service, and in those it says nothing else', () => {
    const { page } = catalog('en-US', 'embed')
    for (const language of visitorLanguages) {
      const texts = catalog(language, 'embed')
      Object.keys(texts).should.deepEqual(['page'])
      const own = flatten(texts.page)
      const english = flatten(page)
      Object.keys(own).sort().should.deepEqual(Object.keys(english).sort())
      Object.keys(own)
        .filter((key) => own[key] === '' || own[key] === english[key])
        .should.deepEqual([], language)
    }
  })

  it('has a sentence and a status for every error code, in every language', () => {
    for (const language of languages) {
      const texts = flatten(catalog(language, 'client'))
      const keys = errorCodes.flatMap((code) =>
        code === 'EID_CONFIG' ? [`status.${code}`] : [`errors.${code}`, `status.${code}`],
      )
      keys.filter((key) => !(key in texts)).should.deepEqual([])
    }
  })

  it('keeps Node-RED out of lib/api', () => {
    const offenders = filesBelow('lib/api', '.ts').filter((path) => /from '.*(node-red|runtime)/.test(read(path)))
    offenders.should.deepEqual([])
  })

  it('exports nothing that is not imported', () => {
    // Files that are found by name are not imported: the package's entry point, the cases of the benchmark, mocha's
    // hooks, and the types of another package.
    const byName = /^lib\/index\.ts|^bench\/|^test\/support\/(?:mocha-hooks|helper\.d)\.ts/
    const folders = ['nodes', 'plugins', 'lib', 'sandbox', 'test', 'bench']
    unusedExports(folders, (path) => byName.test(path)).should.deepEqual([])
  })

  it('opens every source file with a sentence that says what it is for', () => {
    const sources = ['lib', 'nodes', 'plugins', 'sandbox', 'test'].flatMap((folder) => filesBelow(folder, '.ts'))
    sources.filter((path) => !/^(#!.*\n)?\/\*\*(\n \*)? \S/.test(read(path))).should.deepEqual([])
  })

  it('has every test that the table of misuse names, and names each row once', () => {
    const rows = read('test/misuse/README.md').match(/^\| .+/gm) ?? []
    const faults = rows.flatMap((row) => {
      const tests = row.split(' | ').at(-1) ?? ''
      const files = [...tests.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => join('test/misuse', path))
      const missing = files.filter((path) => !exists(path))
      if (missing.length > 0) return missing
      const sources = files.map((path) => read(path))
      // All parts of a title must be in one file; between them is text that depends on the case.
      const titles = [...tests.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title)
      const stands = (title: string) =>
        sources.some((source) => title.split('…').every((part) => source.includes(part.trim())))
      return titles.filter((title) => !stands(title))
    })
    faults.should.deepEqual([])
    const what = rows.map((row) => row.split(' | ')[0])
    what
      .filter((one, index) => what.indexOf(one) !== index && !/^\| (what|misuse|-)/.test(one ?? ''))
      .should.deepEqual([])
  })

  it('refers to nothing outside of itself, and holds both sides of no change', () => {
    const folders = ['lib', 'nodes', 'plugins', 'sandbox', 'test', 'scripts', 'locales', 'examples', 'docs', 'bench']
    const wrong = new RegExp(['\\.\\./sha', 'red\\b|/wo', 'rk/|^<{7} |^>{7} '].join(''), 'm')
    folders
      .flatMap((folder) => filesBelow(folder))
      .filter((path) => wrong.test(read(path)))
      .should.deepEqual([])
    root.should.be.ok()
  })
})

/** Checks that each language has every text of this node or plugin, with the same placeholders. */
function saysTheSame(name: string): void {
  const placeholders = (text: string) => (text.match(/__\w+?__/g) ?? []).sort()
  const english = flatten(catalog('en-US', name))
  for (const language of languages) {
    const texts = flatten(catalog(language, name))
    Object.keys(texts).sort().should.deepEqual(Object.keys(english).sort())
    for (const [key, text] of Object.entries(texts)) {
      placeholders(text).should.deepEqual(placeholders(english[key] ?? ''), `${language} ${name} ${key}`)
    }
  }
}

/** The settings, rows and choices that have no text. */
function unlabelled(fields: Fields, texts: Record<string, string>): string[] {
  return Object.entries(fields)
    .flatMap(([name, field]) => keysOf(name, field))
    .filter((key) => !(key in texts))
}

/** The values that a form offers without a label. */
function wordless(fields: Fields, own: Record<string, string>, common: Record<string, string>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const rows = isTyped(field) && field.rows ? wordless(field.rows, own, common) : []
    const values = isTyped(field) && !field.completes ? (field.choices ?? field.suggestions ?? []) : []
    const keyOf = (group: string, value: string) => `words.${group}.${value.toLowerCase()}`
    const silent = values.filter((one) => !(keyOf(name, one) in own) && !(keyOf(field.words ?? '', one) in common))
    return [...rows, ...silent.map((one) => `${name}: ${one}`)]
  })
}

function columnsOf(fields: Fields): string[] {
  const shown = (rows: Fields) => Object.entries<Field>(rows).filter(([, { hidden }]) => hidden !== true)
  return Object.entries(fields).flatMap(([name, field]) =>
    isTyped(field) && field.rows ? shown(field.rows).map(([row]) => `${name}Row.${row}`) : [],
  )
}

/** The choices of settings on which other settings depend. */
function choicesOf(fields: Fields): string[] {
  const deciding = new Set(Object.values<Field>(fields).flatMap(({ when }) => Object.keys(when ?? {})))
  return Object.entries<Field>(fields).flatMap(([name, { kind, choices = [] }]) =>
    kind === 'choice' && deciding.has(name) ? choices.map((one) => `choices.${name}.${one}`) : [],
  )
}

function keysOf(name: string, field: Field): string[] {
  const choices = field.kind === 'choice' ? (field.choices ?? []).map((choice) => `choices.${name}.${choice}`) : []
  const groups = Object.keys(field.groups ?? {}).map((group) => `groups.${name}.${group}`)
  const rows = isTyped(field) && field.rows ? Object.keys(field.rows).map((row) => `${name}Row.${row}`) : []
  return [`fields.${name}`, ...choices, ...groups, ...rows, ...(rows.length > 0 ? [`add.${name}`] : [])]
}
