/**
 * Makes the tests' own programs start quickly: bundles a source with everything that it imports from the project into
 * one file. A process that reads hundreds of sources takes twice as long to start.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, stop, type Plugin } from 'esbuild'
import { root } from './house'

const made = new Map<string, Promise<string>>()

/** The path of the bundled program for this source; made once per process. */
export function programOf(source: string): Promise<string> {
  const known = made.get(source) ?? make(source)
  made.set(source, known)
  return known
}

async function make(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    plugins: [ownFolders],
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    logLevel: 'error',
  })
  // Stops esbuild's own process, because some tests count the processes that stay.
  await stop()
  const name = relative(root, source).replace(/[\\/]/g, '-').replace(/\.ts$/, '.cjs')
  const path = join(root, '.cache', 'programs', name)
  mkdirSync(dirname(path), { recursive: true })
  // Another process may write the same file, so it gets its final name only when it is complete.
  const unready = `${path}.${process.pid}`
  writeFileSync(unready, outputFiles[0]?.text ?? '')
  renameSync(unready, path)
  return path
}

/**
 * Gives each source its own `__dirname` and `__filename` in the bundle, because sources use them to find files beside
 * them.
 */
const ownFolders: Plugin = {
  name: 'own-folders',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!/\b__(dirname|filename)\b/.test(text)) return undefined
      const places = `const __filename = ${JSON.stringify(path)}, __dirname = ${JSON.stringify(dirname(path))};`
      return { contents: places + text, loader: 'ts' }
    })
  },
}
