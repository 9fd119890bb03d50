/**
 * `npm run new -- node archive-search`, `-- setting wait waitFor tpl`, `-- operation listAccounts GET /account/list
 * account_read`: writes the files of a recipe of CONTRIBUTING.md, and prints what is left to do by hand.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Languages with the texts of all nodes; the other languages have only the texts of one page. */
const languages = ['en-US', 'nb']

/** Writes the files of a recipe below the folder `root`; returns what is left to do by hand. */
export function scaffold(root, args) {
  const [recipe, ...names] = args
  const house = houseAt(root)
  if (recipe === 'node' && /^[a-z][a-z-]+$/.test(names[0] ?? '')) return newNode(house, names[0])
  if (recipe === 'setting' && /^[a-z]\w+$/.test(names[1] ?? '')) return newSetting(house, names[0], names[1], names[2])
  if (recipe === 'operation' && names.length >= 4) return newOperation(house, names)
  throw new Error(
    'npm run new -- node <name> | setting <node> <name> [str|tpl|msg] | operation <name> <METHOD> <path> <scope>',
  )
}

/** Functions that read and write files by their paths from the root. */
function houseAt(root) {
  const read = (path) => readFileSync(join(root, path), 'utf8')
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const json = (path, change) => {
    const value = JSON.parse(read(path))
    change(value)
    write(path, `${JSON.stringify(value, undefined, 2)}\n`)
  }
  /** Inserts a line before the last occurrence of `mark`. */
  const before = (path, mark, line) => {
    const text = read(path)
    const at = text.lastIndexOf(mark)
    if (at < 0) throw new Error(`${path} has no "${mark}"`)
    write(path, `${text.slice(0, at)}${line}\n${text.slice(at)}`)
  }
  const has = (path) => existsSync(join(root, path))
  const copy = (from, to) => cpSync(join(root, from), join(root, to))
  const versions = () => readdirSync(join(root, 'test/fixtures')).filter((name) => /^flows-[\d.]+\.json$/.test(name))
  return { read, write, json, before, has, copy, fixture: () => `test/fixtures/${versions().sort().at(-1)}` }
}

/** `waitForAll` and `wait-for-all` as words: "wait for all". */
const wordsOf = (name) =>
  name
    .replace(/([A-Z])/g, ' $1')
    .replaceAll('-', ' ')
    .toLowerCase()
const sentenceOf = (name) => wordsOf(name).replace(/^./, (letter) => letter.toUpperCase())

function newSetting(house, node, name, type = 'str') {
  const fields = `nodes/${node}/${node}.fields.ts`
  if (!house.has(fields)) throw new Error(`there is no node "${node}"`)
  if (new RegExp(`\\b${name}\\b`).test(house.read(fields))) throw new Error(`${node} has a "${name}"`)
  house.before(fields, '} as const satisfies Fields', `  ${name}: { kind: 'string', initial: '', type: '${type}' },`)
  const form = `nodes/${node}/${node}.html`
  // In a large form, each tab is a `<div>`: the row is added to the last `<div>`.
  const end = house
    .read(form)
    .trimEnd()
    .replace(/<\/script>$/, '')
    .trimEnd()
    .endsWith('</div>')
    ? '</div>'
    : '</script>'
  house.before(form, end, `  <row name="${name}" icon="pencil"></row>`)
  for (const language of languages) {
    house.json(`locales/${language}/${node}.json`, (texts) => (texts.fields[name] = sentenceOf(name)))
  }
  house.json(house.fixture(), (flow) => {
    const all = flow.filter(({ type }) => type === `eid-${node}`)
    for (const one of all) Object.assign(one, { [name]: '', [`${name}Type`]: type })
    const set = all.find(({ id }) => !id.endsWith('-dropped'))
    if (set) set[name] = `stored ${name}`
  })
  return [
    `nodes/${node}/${node}.ts: read values.${name}`,
    `nodes/${node}/${node}.fields.ts: its kind, rule and when`,
    ...languages.map((language) => `locales/${language}/${node}.json and .md: its label and a line of help`),
    'what it puts on the message: lib/messages.ts, and *Outputs* in the help',
    `test/nodes/${node}.test.ts or test/nodes/${node}/: a test; then npm run docs and npm run prose`,
  ]
}

function newNode(house, name) {
  if (house.has(`nodes/${name}`)) throw new Error(`there is a node "${name}"`)
  const folder = `nodes/${name}/${name}`
  house.write(`${folder}.fields.ts`, fieldsText(name))
  house.write(`${folder}.ts`, nodeText(name))
  house.write(`${folder}.editor.ts`, editorText(name))
  const rows = ['name" icon="tag', 'client" icon="plug'].map((row) => `  <row name="${row}"></row>\n`).join('')
  house.write(`${folder}.html`, `<script type="text/html" data-template-name="eid-${name}">\n${rows}</script>\n`)
  house.copy('icons/request.svg', `icons/${name}.svg`)
  for (const language of languages) {
    const [label, client] = language === 'nb' ? ['Navn', 'Tilkobling'] : ['Name', 'Client']
    const texts = { label: wordsOf(name), search: '', fields: { name: label, client }, status: { done: 'ok' } }
    house.write(`locales/${language}/${name}.json`, `${JSON.stringify(texts, undefined, 2)}\n`)
    house.write(`locales/${language}/${name}.md`, `**${label}**, **${client}**\n`)
  }
  house.write(`test/nodes/${name}.test.ts`, testText(name))
  house.json('package.json', (manifest) => {
    manifest['node-red'].nodes[name] = `dist/nodes/${name}/${name}.js`
  })
  house.json(house.fixture(), (flow) => {
    const stored = { z: 'stored', name: '', client: 'client-dropped', x: 200, y: 1000, wires: [[]] }
    flow.push({ id: `${name}-dropped`, type: `eid-${name}`, ...stored })
    flow.push({ id: `${name}-set`, type: `eid-${name}`, ...stored, name: 'Set', client: 'client-set' })
  })
  return [
    `nodes/${name}/${name}.ts: what it calls; nodes/client/needs.ts: which operations`,
    `icons/${name}.svg: a drawing of its own`,
    ...languages.map((language) => `locales/${language}/${name}.json and .md: texts and help`),
    `test/nodes/${name}.test.ts: tests; an example that uses it`,
    'package.json: where it stands in the palette; README.md: its row; then npm run docs',
  ]
}

const fieldsText = (name) => `/** Settings of "${wordsOf(name)}". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  client: { kind: 'config', initial: '', config: 'eid-client', required: true },
} as const satisfies Fields
`

const nodeText = (name) => `/** Pings the service: what "${wordsOf(name)}" does comes here. */
import { apiNode, payloadOf } from '../../lib/runtime/node/api-node'
import { fields } from './${name}.fields'

export = apiNode('eid-${name}', fields, async ({ api, setStatus }) => {
  const answer = await api.send('ping')
  setStatus('done')
  return { payload: payloadOf(answer, { operation: 'ping' }) }
})
`

const editorText = (name) => `/** The form of "${wordsOf(name)}". */
import { whenReady } from '../../lib/editor/ready'
import { fields } from './${name}.fields'

whenReady(({ createForm }) => {
  const form = createForm('${name}', fields, {})

  RED.nodes.registerType('eid-${name}', {
    ...__COMMON__(form),
    color: '#C99567',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
`

const testText = (name) => `/** "${wordsOf(name)}" against the sandbox. */
import should from 'should'
import node from '../../nodes/${name}/${name}'
import { startFlow, stopFlow } from '../support/flow'
import { startService, type Service } from '../support/service'

describe('${wordsOf(name)}', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  afterEach(stopFlow)

  it('says what was done', async () => {
    const flow = await startFlow({ type: 'eid-${name}', module: node, client: { baseUrl: service.url } })
    flow.send({})
    should(await flow.next()).have.property('statusCode', 200)
  })
})
`

function newOperation(house, [name, method, path, scope]) {
  const table = 'lib/api/operations/operations.ts'
  if (new RegExp(`^  ${name}:`, 'm').test(house.read(table))) throw new Error(`there is an operation "${name}"`)
  const repeat = method === 'GET' ? 'safe' : 'never'
  const row = `  ${name}: { method: '${method}', path: '${path}', scope: '${scope}', repeat: '${repeat}' },`
  house.before(table, '} as const satisfies', row)
  const calls = house.read('docs/calls.md').trimEnd()
  house.write('docs/calls.md', `${calls}\n| \`${method} ${path}\` | | ${scope} | ${repeat} | | | |\n`)
  return [
    'lib/api/operations/expectations.ts: what its answer holds (npm run types names the places)',
    'sandbox/<area>/: the simulated answer, and its line in the routes',
    'docs/calls.md: the row at the end goes to its group, with node, tests and effect',
    'test/nodes/every-node/answers.test.ts: which answers are too little for a success',
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const left = scaffold(dirname(dirname(fileURLToPath(import.meta.url))), process.argv.slice(2))
    const changed = execFileSync('git', ['ls-files', '-mo', '--exclude-standard'], { encoding: 'utf8' })
    const oxfmt = join('node_modules', 'oxfmt', 'bin', 'oxfmt')
    const paths = changed.split('\n').filter((path) => /\.(ts|json)$/.test(path))
    execFileSync(process.execPath, [oxfmt, ...paths])
    console.log(`Written. Left to do, and the house tests name it:\n${left.map((line) => `  ${line}`).join('\n')}`)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
