/** `npm test`: installs what is missing, builds, lints, checks types and runs every test, the browser's too. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, root } from './install.mjs'

install()
const { build } = await import('./build.mjs')
build()

run('Types of the tests', 'typescript/bin/tsc', ['-p', 'tsconfig.test.json'])
run('Types of the scripts', 'typescript/bin/tsc', ['-p', 'tsconfig.scripts.json'])
run('Lint', 'eslint/bin/eslint.js', ['.'])
run('Format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.'])
run('Tests', 'mocha/bin/mocha.js', process.argv.length > 2 ? process.argv.slice(2) : ['test/**/*.test.ts'])

function run(name, program, args) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  console.log(`== ${name}: good after ${Math.round((Date.now() - started) / 1000)} s`)
}
