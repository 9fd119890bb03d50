/**
 * Builds dist/: compiles the runtime, bundles each node's editor part into its html, puts texts and icons beside it.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)

/** What a build reads: when none of it has changed, there is nothing to do. */
const rooms = ['nodes', 'plugins', 'lib', 'sandbox', 'locales', 'icons']
const configs = ['tsconfig.base.json', 'tsconfig.json', 'tsconfig.editor.json']
export const sources = [...rooms, ...configs, 'scripts/build.mjs', 'package.json', 'package-lock.json']

/** Builds unless nothing has changed since the last time, and all that was made then is still there. */
export function build(log = console.log) {
  const stamp = stampOf(sources)
  const stampFile = join(dist, '.stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp + made()) return log('Build: up to date')
  const start = Date.now()
  log('Build: compiling')
  compile()
  log('Build: forms, texts and icons')
  for (const name of readdirSync(join(root, 'nodes'))) buildNode(name)
  for (const name of readdirSync(join(root, 'plugins'))) buildPlugin(name)
  log('Build: scripts of the pages')
  buildPages()
  const cli = join(dist, 'sandbox', 'cli.js')
  if (existsSync(cli)) chmodSync(cli, 0o755)
  writeFileSync(stampFile, stamp + made())
  log(`Build: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
}

/**
 * Checks and compiles what has changed since the last time, beside dist/; dist/ is then made anew of what has a
 * source, so that nothing stays in it of a file that is gone.
 */
function compile() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  for (const project of ['tsconfig.editor.json', 'tsconfig.json']) {
    execFileSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' })
  }
  const compiled = join(root, '.cache', 'compiled')
  rmSync(dist, { recursive: true, force: true })
  for (const path of rooms.flatMap((room) => filesBelow(room))) {
    const outputs = path.endsWith('.ts') ? ['.js', '.d.ts'].map((ending) => path.replace(/\.ts$/, ending)) : [path]
    for (const output of outputs.filter((one) => existsSync(join(compiled, one)))) {
      mkdirSync(dirname(join(dist, output)), { recursive: true })
      cpSync(join(compiled, output), join(dist, output))
    }
  }
}

function buildNode(name) {
  const source = join(root, 'nodes', name)
  const target = join(dist, 'nodes', name)
  const fieldsModule = require(join(target, `${name}.fields.js`))
  const form = readFileSync(join(source, `${name}.html`), 'utf8')
  const framed = form.replace(
    /(<script type="text\/html"[^>]*>)([\s\S]*)<\/script>/,
    '$1<div class="eid-form">$2</div></script>',
  )
  const isConfig = readFileSync(join(source, `${name}.editor.ts`), 'utf8').includes("category: 'config'")
  const slim = expandRows(framed, { ...fieldsModule, isConfig }).replace(/\n\s*/g, '\n')
  writeFileSync(join(target, `${name}.html`), `${slim}\n${editorScript(name, fieldsModule)}\n`)
  for (const language of readdirSync(join(root, 'locales')))
    copyTexts(name, language, join(target, 'locales', language))
  const icon = join(root, 'icons', `${name}.svg`)
  mkdirSync(join(target, 'icons'), { recursive: true })
  cpSync(icon, join(target, 'icons', `${name}.svg`))
  keepEnglish(name)
}

/** A part of the editor that is no node: its styles, its bundled script and its texts. */
function buildPlugin(name) {
  const source = join(root, 'plugins', name)
  const target = join(dist, 'plugins', name)
  const styles = readFileSync(join(source, `${name}.html`), 'utf8').replace(/\n\s*/g, '\n')
  const script = bundle(join(source, `${name}.editor.ts`))
  writeFileSync(join(target, `${name}.html`), `${styles}<script type="text/javascript">\n${script.trim()}\n</script>\n`)
  for (const language of readdirSync(join(root, 'locales')))
    copyTexts(name, language, join(target, 'locales', language))
  keepEnglish(name)
}

/** The runtime's own texts, for where Node-RED has none. */
function keepEnglish(name) {
  mkdirSync(join(dist, 'locales', 'en-US'), { recursive: true })
  cpSync(join(root, 'locales', 'en-US', `${name}.json`), join(dist, 'locales', 'en-US', `${name}.json`))
}

/**
 * Bundles the scripts of pages (`*.page.ts`), each to be found where its source would be; those in `pages/` are parts
 * of others.
 */
function buildPages() {
  const entryPoints = rooms
    .flatMap((room) => filesBelow(room))
    .filter((path) => /(?<!\/pages\/[\w-]+)\.page\.ts$/.test(path))
  /** @type {import('esbuild').BuildOptions} */
  const shared = { bundle: true, format: 'iife', target: 'es2020', charset: 'utf8', legalComments: 'none' }
  buildSync({ entryPoints: entryPoints.map((path) => join(root, path)), outbase: root, outdir: dist, ...shared })
}

/**
 * `<row name="title" icon="tag">` stands for the label and input of one setting; what is inside it follows the input.
 */
function expandRows(html, { fields, credentials = {}, isConfig }) {
  const prefix = isConfig ? 'node-config-input' : 'node-input'
  return html.replace(/<row name="(\w+)"(?: icon="([\w-]+)")?>([\s\S]*?)<\/row>/g, (_whole, name, icon, inside) => {
    const id = `${prefix}-${name}`
    const label = `<label for="${id}">${icon ? `<i class="fa fa-${icon}"></i> ` : ''}<span data-i18n="fields.${name}"></span>${starOf(fields[name])}</label>`
    return `<div class="form-row" data-row="${name}">${label}${inputOf(id, fields[name] ?? credentials[name], name)}${inside.trim()}</div>`
  })
}

/** What has to be filled in carries a star; a client is always chosen already. */
function starOf(field) {
  return field?.required && field.kind !== 'config' ? '<span class="eid-star" aria-hidden="true">*</span>' : ''
}

function inputOf(id, field, name) {
  if (field?.type === 'password') return `<input type="password" id="${id}">`
  if (field?.kind === 'choice') {
    const option = (value) => `<option value="${value}" data-i18n="choices.${name}.${value}"></option>`
    const options = field.groups ? groupsOf(field.groups, name, option) : field.choices.map(option)
    return `<select id="${id}">${options.join('')}</select>`
  }
  if (field?.kind === 'flag') return `<input type="checkbox" id="${id}" class="eid-flag">`
  if (field?.kind === 'count') return `<input type="text" inputmode="decimal" id="${id}">`
  return `<input type="text" id="${id}">`
}

function groupsOf(groups, name, option) {
  return Object.entries(groups).map(([group, values]) => {
    const options = values.map(option).join('')
    return `<optgroup data-i18n="[label]groups.${name}.${group}">${options}</optgroup>`
  })
}

/** The bundled editor code with the settings as an inline literal, so that it can be read without being run. */
function editorScript(name, { fields, credentials }) {
  const script = bundle(join(root, 'nodes', name, `${name}.editor.ts`))
  const literalFor = (form) => `{${Object.entries(fields).map(([key, field]) => defaultsOf(key, field, form))}}`
  const secrets = credentials ? JSON.stringify(credentials) : '{}'
  const own = credentials ? `credentials:${secrets},` : ''
  const filled = script
    .replace(/\.\.\.__COMMON__\(([\w$]+)\)/, (_call, form) => own + commonOf(name, form, literalFor(form)))
    .replace(/__DEFAULTS__\(([\w$]+)\)/, (_call, form) => literalFor(form))
    .replace('__CREDENTIALS__', () => secrets)
  if (/__[A-Z]+__\(/.test(filled) || !filled.includes(`registerType("eid-${name}"`)) {
    throw new Error(
      `${name}.editor.ts must register "eid-${name}" with ...__COMMON__(form) or defaults: __DEFAULTS__(form)`,
    )
  }
  return `<script type="text/javascript">\n${filled.trim()}\n</script>`
}

/** The editor part that begins with this file, as one script. */
function bundle(entry) {
  const [result] = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    // The editor loads this on every start.
    minify: true,
  }).outputFiles
  return result.text
}

/** What the definitions of all nodes of the palette have in common. */
function commonOf(name, form, defaults) {
  const functions = [
    'paletteLabel',
    'labelStyle',
    'onpaletteadd',
    'onadd',
    'oneditprepare',
    'oneditsave',
    'oneditresize',
  ]
  const from = functions.map((one) => `${one}:${form}.common.${one}`)
  return [
    'category:"eID"',
    `categoryDescription:${form}.about`,
    `icon:"${name}.svg"`,
    `defaults:${defaults}`,
    ...from,
  ].join(',')
}

/** One setting as Node-RED wants it; `form` is the name that the bundle has for the form. */
function defaultsOf(name, field, form) {
  const value = `value:${JSON.stringify(field.initial)}`
  const label = `label:${form}.label("${name}")`
  if (field.kind === 'label') return `${name}:{${value}}`
  if (field.kind === 'config') {
    return `${name}:{value:"",type:${JSON.stringify(field.config)},required:${field.required === true},${label}}`
  }
  const own = `${name}:{${value},${label},validate:${form}.valid("${name}")}`
  if (field.type === undefined) return own
  const type = `${name}Type:{value:${JSON.stringify(field.type)}}`
  return field.rows ? `${own},${type},${name}Rows:{value:[]}` : `${own},${type}`
}

function copyTexts(name, language, target) {
  const texts = join(root, 'locales', language, `${name}.json`)
  const help = join(root, 'locales', language, `${name}.md`)
  mkdirSync(target, { recursive: true })
  if (existsSync(texts)) cpSync(texts, join(target, `${name}.json`))
  if (!existsSync(help)) return
  const markdown = readFileSync(help, 'utf8')
  writeFileSync(
    join(target, `${name}.html`),
    `<script type="text/markdown" data-help-name="eid-${name}">\n${markdown}</script>\n`,
  )
}

/** A fingerprint of the names and contents of these files and folders, whenever and wherever they were written. */
export function stampOf(places) {
  const hash = createHash('sha256')
  for (const path of places.flatMap((place) => filesBelow(place))) {
    const content = createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex')
    hash.update(`${path}:${content}\n`)
  }
  return hash.digest('hex')
}

/** The names of all that is in dist/, a line each. */
function made() {
  return filesBelow('dist')
    .filter((path) => path !== 'dist/.stamp')
    .map((path) => `\n${path}`)
    .join('')
}

/** The files of a folder, or the one file, as paths from the root in a fixed order. */
function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
