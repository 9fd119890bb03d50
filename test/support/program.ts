/**
 * Makes the tests' own programs quick to start: a source with all that it imports from here becomes one file, while a
 * process that reads hundreds of sources takes twice as long until it runs.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, stop, type Plugin } from 'esbuild'
import { root } from './house'

const made = new Map<string, Promise<string>>()

/** The path of a program for node, made of this source; once in this process. */
export function programOf(source: string): Promise<string> {
  const known = made.get(source) ?? make(source)
  made.set(source, known)
  return known
}

async function make(source: string): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [source], bundle: true, write: false, plugins: [ownFolders] },
    ...{ platform: 'node', format: 'cjs', packages: 'external', logLevel: 'error' },
  })
  // Its own process would else stay, and some tests count what does.
  await stop()
  const name = relative(root, source).replace(/[\\/]/g, '-').replace(/\.ts$/, '.cjs')
  const path = join(root, '.cache', 'programs', name)
  mkdirSync(dirname(path), { recursive: true })
  // Another process may be at it too: what is there under the name is whole.
  const unready = `${path}.${process.pid}`
  writeFileSync(unready, outputFiles[0]?.text ?? '')
  renameSync(unready, path)
  return path
}

/** Sources find their neighbors from their own place, not from that of the program. */
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
