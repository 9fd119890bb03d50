/**
 * Finds the script of a page that a node serves. In the package, the bundled script is beside the built code; in the
 * repository, the script is bundled on demand from its source.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { buildSync } from 'esbuild'

const scripts = new Map<string, string>()

/** The script `<name>.page` of this folder, as it runs in the browser. */
export function pageScript(folder: string, name: string): string {
  const path = join(folder, `${name}.page`)
  const known = scripts.get(path)
  if (known !== undefined) return known
  const script = existsSync(`${path}.js`) ? readFileSync(`${path}.js`, 'utf8') : bundle(`${path}.ts`)
  scripts.set(path, script)
  return script
}

/**
 * Bundles the script. The bundler is a tool of the repository, not a dependency of the package, but it is available
 * wherever the source is.
 */
function bundle(path: string): string {
  const bundler = createRequire(__filename)('esbuild') as { readonly buildSync: typeof buildSync }
  const options = { bundle: true, write: false, format: 'iife', target: 'es2020' } as const
  return bundler.buildSync({ entryPoints: [path], ...options }).outputFiles[0]?.text ?? ''
}
