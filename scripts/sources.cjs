/**
 * Lets Node.js run the project's TypeScript: compiles a file when it is first needed and keeps the result in
 * .cache/sources/. Used as `node --require ./scripts/sources.cjs program.ts`.
 */
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

/**
 * @typedef {{ filename?: string }} Parent
 * @typedef {{ _resolveFilename(request: string, parent: Parent | undefined, ...rest: unknown[]): string }} Loader
 */
const loader = /** @type {Loader} */ (/** @type {unknown} */ (require('node:module')))

const folder = join(dirname(__dirname), '.cache', 'sources')
const { version } = require('esbuild/package.json')

/** The compiled form of a source, from the cache or from esbuild. */
function compiled(path, source) {
  const key = createHash('sha1').update(version).update(path).update(source).digest('hex')
  const file = join(folder, `${key}.cjs`)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const { code } = require('esbuild').transformSync(source, {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
    // An imported source has to be compiled as well, so imports become calls of require().
    supported: { 'dynamic-import': false },
  })
  mkdirSync(folder, { recursive: true })
  // Another process may compile the same source, so the file gets its name when it is complete.
  const unready = `${file}.${process.pid}`
  writeFileSync(unready, code)
  renameSync(unready, file)
  return code
}

require.extensions['.ts'] = (module, path) => {
  const { _compile } = /** @type {{ _compile(code: string, path: string): void }} */ (/** @type {unknown} */ (module))
  _compile.call(module, compiled(path, readFileSync(path, 'utf8')), path)
}

/** Sources name each other with the ending that they have when they are compiled. */
const resolve = loader._resolveFilename
loader._resolveFilename = function (request, parent, ...rest) {
  const isOwn = request.startsWith('.') && request.endsWith('.js') && parent?.filename?.endsWith('.ts')
  const source = isOwn && join(dirname(parent.filename), request.replace(/\.js$/, '.ts'))
  return source && existsSync(source) ? source : resolve.call(this, request, parent, ...rest)
}

process.setSourceMapsEnabled(true)
