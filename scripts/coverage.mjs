/**
 * Checks the coverage of lib/: removes the transpiler's own code from V8's figures, and lets c8 report and judge the
 * rest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { filesBelow } from './files.mjs'
import { root } from './install.mjs'

/** The folder into which the processes of a lane of tests write their figures (NODE_V8_COVERAGE). */
export const coverageFolder = (lane) => join(root, '.cache', 'coverage', lane)
const measured = ['every', 'rest'].map(coverageFolder)
const cleaned = join(root, '.cache', 'coverage', 'clean')

/**
 * Percent of lib/ that the tests must cover; what runs in browsers only is left out. Branches are the measure, but V8 does not know the branches of a function that is never called, so most functions and
 * lines must run as well.
 */
const least = { branches: 95, functions: 97, lines: 98, statements: 98 }

/** Reports the coverage of lib/; returns false if it is less than required. */
export async function holdsCoverage() {
  rmSync(cleaned, { recursive: true, force: true })
  mkdirSync(cleaned, { recursive: true })
  const seen = new Set()
  const left = measured
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  for (const path of left.filter((one) => one.endsWith('.json'))) {
    const figures = withoutGlue(JSON.parse(readFileSync(path, 'utf8')))
    writeFileSync(join(cleaned, basename(path)), JSON.stringify(figures))
    for (const { url } of figures.result) seen.add(fileURLToPath(url))
  }
  const unseen = (await sources()).filter((path) => !seen.has(path))
  if (unseen.length > 0) {
    console.log(`Coverage of lib/: no figures, so nothing is known of\n  ${unseen.join('\n  ')}`)
    return false
  }
  const report = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'c8', 'bin', 'c8.js'),
      'report',
      '--temp-directory',
      cleaned,
      '--reporter',
      'text',
      '--reporter',
      'text-summary',
      '--include',
      'lib/**/*.ts',
      ...['editor/**', ...elsewhere].flatMap((path) => ['--exclude', `lib/${path}`]),
      '--exclude',
      '**/*.d.ts',
      '--check-coverage',
      ...Object.entries(least).flatMap(([what, value]) => [`--${what}`, String(value)]),
    ],
    { cwd: root, stdio: 'inherit' },
  )
  const [code] = await once(report, 'exit')
  return code === 0
}

/**
 * These run only in a browser, or in a process or a thread that is ended without writing figures: what reads lists, and
 * the embedded database. Their functions are tested through pages, through files and through the store.
 */
const elsewhere = [
  'page/dom.ts',
  'runtime/files/file-worker.ts',
  'runtime/files/cell-text.ts',
  'runtime/files/list-reading.ts',
  'runtime/files/sheet-cell.ts',
  'runtime/files/sheet-library.ts',
  'runtime/files/sheet-lines.ts',
  'runtime/files/text-lines.ts',
  'store/drivers/sqlite/files.ts',
  'store/drivers/sqlite/thread.ts',
]
const unmeasured = elsewhere.map((path) => join(root, 'lib', path))

/** The paths of the measured files: every file that contains anything besides types. */
async function sources() {
  // Imported here, because a fresh clone has esbuild only after the installation.
  const { transformSync } = await import('esbuild')
  return filesBelow('lib')
    .map((path) => join(root, path))
    .filter((path) => path.endsWith('.ts') && !unmeasured.includes(path))
    .filter((path) => !path.startsWith(join(root, 'lib', 'editor')))
    .filter((path) => transformSync(readFileSync(path, 'utf8'), { loader: 'ts' }).code.trim() !== '')
}

/** The figures of lib/, reduced to the ranges that contain code from a source file. */
export function withoutGlue(figures) {
  const lib = pathToFileURL(join(root, 'lib')).href
  const maps = withData(figures['source-map-cache'] ?? {})
  const result = figures.result
    .filter(({ url }) => url.startsWith(lib) && maps[url]?.data)
    .map((script) => {
      const places = mappedOffsets(maps[script.url])
      const isWritten = ({ startOffset, endOffset }) => {
        const next = places[firstAtLeast(places, startOffset)]
        return next !== undefined && next < endOffset
      }
      const functions = script.functions
        .map((one) => ({ ...one, ranges: one.ranges.filter(isWritten) }))
        .filter(({ ranges }) => ranges.length > 0)
      return { ...script, functions }
    })
  return { result, 'source-map-cache': Object.fromEntries(result.map(({ url }) => [url, maps[url]])) }
}

/** The parsed source maps. Node.js 26 leaves most of them unparsed, as a data URL that contains the whole map. */
function withData(maps) {
  return Object.fromEntries(
    Object.entries(maps).map(([path, map]) => [path, { ...map, data: map.data ?? inside(map.url) }]),
  )
}

function inside(url) {
  const [, base64] = /^data:application\/json[^,]*;base64,(.*)$/s.exec(url ?? '') ?? []
  return base64 === undefined ? undefined : JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
}

/** The offsets in the generated code that belong to a place in a source file, in order. */
function mappedOffsets({ data, lineLengths }) {
  const offsets = []
  let lineStart = 0
  for (const [line, segments] of data.mappings.split(';').entries()) {
    let column = 0
    for (const segment of segments.split(',').filter(Boolean)) {
      const [step, source] = decode(segment)
      column += step
      if (source !== undefined) offsets.push(lineStart + column)
    }
    lineStart += (lineLengths[line] ?? 0) + 1
  }
  return offsets
}

/** Decodes the numbers of a segment of a source map (base 64 VLQ). */
function decode(segment) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const numbers = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

function firstAtLeast(sorted, wanted) {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await holdsCoverage()) ? 0 : 1)
