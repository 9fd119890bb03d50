/**
 * Runs one of the project's TypeScript programs after installing and building what is missing: `node
 * scripts/run-ts.mjs file [arguments]`.
 */
import { spawnSync } from 'node:child_process'
import { install, root } from './install.mjs'

install()
const { build } = await import('./build.mjs')
build()
const { status } = spawnSync(process.execPath, ['--require', './scripts/sources.cjs', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
