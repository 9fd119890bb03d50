/** Builds dist/: compiles the runtime, bundles each node's editor part into its html, and copies texts and icons. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, transformSync } from 'esbuild'
import { filesBelow } from './files.mjs'
import { bundle, editorScript, expandRows } from './forms.mjs'
import { root } from './install.mjs'

const dist = join(root, 'dist')
const require = createRequire(import.meta.url)

/** The files and folders that a build reads. If none of them has changed, a build has nothing to do. */
const rooms = ['nodes', 'plugins', 'lib', 'sandbox', 'locales', 'icons']
const configs = ['tsconfig.base.json', 'tsconfig.build.json', 'tsconfig.editor.json']
const scripts = ['build', 'files', 'forms'].map((name) => `scripts/${name}.mjs`)
export const sources = [...rooms, ...configs, ...scripts, 'package.json', 'package-lock.json']

/** Builds dist/, unless no source has changed since the last build and all files of that build still exist. */
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
  buildSheetLibrary()
  const cli = join(dist, 'sandbox', 'cli.js')
  if (existsSync(cli)) chmodSync(cli, 0o755)
  writeFileSync(stampFile, stamp + made())
  log(`Build: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
}

/**
 * Checks and compiles what has changed since the last time, into a folder beside dist/. Then dist/ is filled again with
 * the outputs that still have a source, so that no output of a removed file stays.
 */
function compile() {
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc')
  for (const project of ['tsconfig.editor.json', 'tsconfig.build.json']) {
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
  const form = withSmallStyles(readFileSync(join(source, `${name}.html`), 'utf8'))
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

/** Builds a part of the editor that is not a node: its styles, its bundled script and its texts. */
function buildPlugin(name) {
  const source = join(root, 'plugins', name)
  const target = join(dist, 'plugins', name)
  const styles = withSmallStyles(readFileSync(join(source, `${name}.html`), 'utf8'))
  const script = bundle(join(source, `${name}.editor.ts`))
  writeFileSync(join(target, `${name}.html`), `${styles}<script type="text/javascript">\n${script.trim()}\n</script>\n`)
  for (const language of readdirSync(join(root, 'locales')))
    copyTexts(name, language, join(target, 'locales', language))
  keepEnglish(name)
}

/** Minifies the styles of a page, because the editor loads them on every start. */
function withSmallStyles(html) {
  return html.replace(/(?<=<style>).*(?=<\/style>)/s, (css) =>
    transformSync(css, { loader: 'css', minify: true }).code.trim(),
  )
}

/** Copies the English texts for the runtime, which uses them where Node-RED has no texts. */
function keepEnglish(name) {
  mkdirSync(join(dist, 'locales', 'en-US'), { recursive: true })
  cpSync(join(root, 'locales', 'en-US', `${name}.json`), join(dist, 'locales', 'en-US', `${name}.json`))
}

/**
 * Bundles the scripts of pages (`*.page.ts`), each to the place in dist/ that matches its source. The scripts in
 * `pages/` are left out, because other scripts include them.
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
 * Bundles the part of the spreadsheet library that is used, because installing all of it would take 8 MB instead of a
 * third of one (decision 018). The license of the library requires its notice to stay.
 */
function buildSheetLibrary() {
  const path = join('lib', 'runtime', 'files', 'sheet-library')
  /** @type {import('esbuild').BuildOptions} */
  const shared = { bundle: true, minify: true, platform: 'node', format: 'cjs', target: 'node20.18' }
  buildSync({
    entryPoints: [join(root, `${path}.ts`)],
    outfile: join(dist, `${path}.js`),
    mainFields: ['module'],
    legalComments: 'inline',
    ...shared,
  })
}

function copyTexts(name, language, target) {
  const texts = join(root, 'locales', language, `${name}.json`)
  const help = join(root, 'locales', language, `${name}.md`)
  mkdirSync(target, { recursive: true })
  if (existsSync(texts)) cpSync(texts, join(target, `${name}.json`))
  if (!existsSync(help)) return
  const markdown = withPlainColons(readFileSync(help, 'utf8'))
  writeFileSync(
    join(target, `${name}.html`),
    `<script type="text/markdown" data-help-name="eid-${name}">\n${markdown}</script>\n`,
  )
}

/**
 * The help with each colon of its sentences written as an entity. In the editor, a colon may begin the entry of a
 * property list anywhere in a line: "the state: open (or closed), and the time: UTC" would lose a part. Property lists,
 * code and addresses keep their colons.
 */
function withPlainColons(markdown) {
  const keptOrColon = /^```[^]*?^```|^: .*|`[^`]*`|:\/\/|:/gm
  return markdown.replace(keptOrColon, (found) => (found === ':' ? '&#58;' : found))
}

/**
 * A fingerprint of the names and contents of these files and folders; it does not depend on when or where they were
 * written.
 */
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

/** The names of all files in dist/, each on a line of its own. */
function made() {
  return filesBelow('dist')
    .filter((path) => path !== 'dist/.stamp')
    .map((path) => `\n${path}`)
    .join('')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
