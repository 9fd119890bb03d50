/**
 * Finds the script of a page: bundled beside this code in the built package, or bundled on demand from its source in
 * the repository. lib has a copy of this code. The sandbox uses no code of lib, so that a mistake in lib can't affect
 * the sandbox as well.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { buildSync } from 'esbuild'

const found = new Map<string, string>()

/** The script `<name>.page` in this folder, as it runs in the browser. */
export function pageScript(folder: string, name: string): string {
  const path = join(folder, `${name}.page`)
  const script =
    found.get(path) ?? (existsSync(`${path}.js`) ? readFileSync(`${path}.js`, 'utf8') : bundle(`${path}.ts`))
  found.set(path, script)
  return script
}

/**
 * Bundles the script from its source. The bundler is a tool of the repository, not a dependency of the package, so it
 * is available wherever the source is.
 */
function bundle(path: string): string {
  const bundler = createRequire(__filename)('esbuild') as { readonly buildSync: typeof buildSync }
  const { outputFiles } = bundler.buildSync({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
  })
  return outputFiles[0]?.text ?? ''
}
