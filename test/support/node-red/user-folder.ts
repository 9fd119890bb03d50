/** A user folder of Node-RED in which the built package is installed, as a link. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../house'

/**
 * Links the package into `userDir`, which must exist and be empty. `more` are modules for "function" nodes, which are
 * linked too.
 */
export function linkPackage(userDir: string, more: readonly string[] = []): void {
  const scope = join(userDir, 'node_modules', '@eid-flows')
  mkdirSync(scope, { recursive: true })
  symlinkSync(root, join(scope, 'node-red-eid'), 'junction')
  for (const name of more)
    symlinkSync(join(root, 'node_modules', name), join(userDir, 'node_modules', name), 'junction')
  const installed = Object.fromEntries(['@eid-flows/node-red-eid', ...more].map((name) => [name, '*']))
  const manifest = { name: 'user', private: true, dependencies: installed }
  writeFileSync(join(userDir, 'package.json'), JSON.stringify(manifest))
}

/** Puts a node that the test has written, without a form, into `userDir`. */
export function addNode(userDir: string, name: string, code: string): void {
  const folder = join(userDir, 'nodes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.js`), code)
  writeFileSync(join(folder, `${name}.html`), `<script type="text/html" data-template-name="${name}"></script>`)
}
