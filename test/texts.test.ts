/** Sentences for people are in the catalogs: code and forms contain none, so that every language has all of them. */
import should from 'should'
import { join } from 'node:path'
import ts from 'typescript'
import { isTyped } from '../lib/settings/fields'
import { catalog, fieldsOf, filesBelow, flatten, languages, nodeNames, read } from './support/house'

/** Three words or more, without characters that are typical of addresses, markup, styles and code. */
const isSentence = (text: string) => /\p{L}{2,}( \p{L}+){2,}/u.test(text) && !/[<>{}=;|$_]|--|\w\(/.test(text)

/** The string literals that a person may read. */
function sentencesIn(path: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || node.kind === ts.SyntaxKind.TemplateHead
    if (isText && isSentence((node as ts.LiteralLikeNode).text)) found.push(`${path}: ${node.getText()}`)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true))
  return found
}

/** The words between the tags of a form, and in its readable attributes. */
function wordsIn(path: string, html: string): string[] {
  const form = html.replace(/<style>[^]*?<\/style>/g, '')
  const between = [...form.matchAll(/>([^<>]*\p{L}[^<>]*)</gu)].map((match) => match[1] ?? '')
  const attributes = [...form.matchAll(/\b(?:title|placeholder|aria-label|alt)="([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  return [...between, ...attributes].map((words) => `${path}: ${words.trim()}`)
}

/** The functions that look up a text, each with the group in which it looks up its key. */
const groups = new Map([
  ['setStatus', 'status.'],
  ['progress', 'status.'],
  ['warn', 'warnings.'],
  ['translate', ''],
])

/** The keys of texts in the code; of those assigned to `key`, perhaps only the end. */
function keysIn(path: string, source: string): string[] {
  const found: string[] = []
  const literals = (node: ts.Expression): string[] => {
    if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)]
    return ts.isStringLiteral(node) ? [node.text] : []
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.arguments[0]) {
      const name = node.expression.getText().split('.').at(-1) ?? ''
      const group = groups.get(name)
      if (group !== undefined) found.push(...literals(node.arguments[0]).map((key) => group + key))
    }
    // Problems and warnings are created with a `key`.
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'key') found.push(...literals(node.initializer))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true))
  return found
}

describe('texts', () => {
  const sources = ['nodes', 'plugins', join('lib', 'editor'), join('lib', 'runtime')].flatMap((folder) =>
    filesBelow(folder, '.ts'),
  )

  it('are found by this test when they are in code or in a form', () => {
    should(sentencesIn('a.ts', "node.warn('The document is gone')")).have.length(1)
    should(sentencesIn('a.ts', 'node.warn(`Nothing was sent to ${host}`)')).have.length(1)
    should(sentencesIn('a.ts', "text('fields.name'); $('<div class=\"form row wide\">')")).be.empty()
    should(wordsIn('a.html', '<label>Name</label><input placeholder="your name">')).have.length(2)
    should(wordsIn('a.html', '<label data-i18n="name"></label>')).be.empty()
  })

  it('are not written in the code of the nodes', () => {
    should(sources).not.be.empty()
    should(sources.flatMap((path) => sentencesIn(path, read(path)))).deepEqual([])
  })

  it('are not written in the forms', () => {
    const forms = ['nodes', 'plugins'].flatMap((folder) => filesBelow(folder, '.html'))
    should(forms.flatMap((path) => wordsIn(path, read(path)))).deepEqual([])
  })

  it('are in the catalog for every key that the code of a node names', () => {
    should(keysIn('a.ts', "setStatus(many ? 'a' : 'b'); call.warn('c', {}); f({ key: 'd' })")).deepEqual([
      'status.a',
      'status.b',
      'warnings.c',
      'd',
    ])
    for (const name of nodeNames) {
      const known = Object.keys({ ...flatten(catalog('en-US', 'client')), ...flatten(catalog('en-US', name)) })
      const named = filesBelow(join('nodes', name), '.ts').flatMap((path) => keysIn(path, read(path)))
      const silent = named.filter((key) => key !== '' && !known.some((one) => one === key || one.endsWith(`.${key}`)))
      should(silent).deepEqual([], name)
    }
  })

  it('have each key once, because only the last of two with the same name counts', () => {
    const files = filesBelow('locales', '.json')
    should(files).not.be.empty()
    for (const path of files) {
      const names = [...read(path).matchAll(/^ *"[^"]+": (?!\{)/gm)]
      should(names.length).equal(Object.keys(flatten(JSON.parse(read(path)))).length, path)
    }
  })

  it('say of an example in a field for numbers that it is one: a gray 5 looks like the value', async () => {
    // Here, the number is no example: the service uses it if the field is empty.
    const defaults = ['create-document keepDays', 'create-document attachments']
    const plain: string[] = []
    for (const name of nodeNames) {
      const fields = await fieldsOf(name)
      const rows = Object.entries(fields).flatMap(([list, field]) =>
        isTyped(field) && field.rows
          ? Object.entries(field.rows).map(([cell, one]) => [`${list}Row.${cell}`, one] as const)
          : [],
      )
      for (const [key, field] of [...Object.entries(fields), ...rows]) {
        if (field.kind !== 'number') continue
        for (const language of languages) {
          const example = flatten(catalog(language, name))[`placeholders.${key}`] ?? ''
          if (/^[\d.,]+$/.test(example)) plain.push(`${name} ${key}`)
        }
      }
    }
    should([...new Set(plain)].filter((one) => !defaults.includes(one))).deepEqual([])
    should(plain).containDeep(defaults)
  })

  it('say in the sidebar, as on the overview page, that the signers see the reason for canceling', () => {
    for (const language of languages) {
      const [aside, page] = ['sidebar', 'overview'].map((name) => flatten(catalog(language, name)))
      should(aside?.['waiting.reason']).be.a.String().and.equal(page?.['page.reason'])
    }
  })
})
