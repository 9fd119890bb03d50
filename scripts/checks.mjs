/**
 * The checks that read only sources: types, lint, house, prose and format. `node scripts/checks.mjs` runs all of them,
 * `node scripts/checks.mjs types` only those that are named.
 */
import { fileURLToPath } from 'node:url'
import { run } from './run-program.mjs'

const tsc = 'node_modules/typescript-7/bin/tsc'

/** Each check: its programs with their arguments. All of them must exit with 0. */
const checks = {
  types: [
    [tsc, '-p', 'tsconfig.test.json'],
    [tsc, '-p', 'tsconfig.editor.json'],
    [tsc, '-p', 'tsconfig.scripts.json'],
  ],
  lint: [['node_modules/oxlint/bin/oxlint', '--type-aware', '--quiet']],
  house: [
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
      'lib',
      'nodes',
      'plugins',
      'sandbox',
    ],
  ],
  prose: [['scripts/prose.mjs']],
  format: [['node_modules/oxfmt/bin/oxfmt', '--list-different', '.']],
}

/** Runs the named checks, or all, one after another; resolves with the commands that run each failed check alone. */
export async function check(names = Object.keys(checks)) {
  const failed = []
  for (const name of names) {
    if (!(name in checks)) throw new Error(`There is no check "${name}". There are: ${Object.keys(checks).join(', ')}`)
    const codes = []
    for (const args of checks[name]) codes.push(await run(args))
    if (codes.some((code) => code !== 0)) failed.push(`npm run check ${name}`)
  }
  return failed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2)
  const failed = await check(named.length > 0 ? named : undefined)
  if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`)
  process.exit(failed.length > 0 ? 1 : 0)
}
