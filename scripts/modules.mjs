#!/usr/bin/env node
/**
 * Counts our own modules that each node loads, by following its imports at run time (`import type` loads nothing).
 * `npm run modules` prints all nodes; `npm run modules -- deposit-cancel` also names the modules of one node.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')

/** The files that this file loads when it runs. */
function importsOf(file) {
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  return statements.flatMap((one) => {
    if (!ts.isImportDeclaration(one) && !ts.isExportDeclaration(one)) return []
    const from = one.moduleSpecifier && ts.isStringLiteral(one.moduleSpecifier) ? one.moduleSpecifier.text : ''
    const isRuntime = ts.isImportDeclaration(one) ? loads(one.importClause) : !one.isTypeOnly
    return from.startsWith('.') && isRuntime ? [sourceOf(resolve(dirname(file), from))] : []
  })
}

/** Whether an import with these names loads the module. */
function loads(/** @type {ts.ImportClause | undefined} */ clause) {
  if (!clause) return true
  const { isTypeOnly, name, namedBindings } = clause
  if (isTypeOnly) return false
  if (name || !namedBindings || ts.isNamespaceImport(namedBindings)) return true
  return namedBindings.elements.some((one) => !one.isTypeOnly)
}

function sourceOf(path) {
  return [path, `${path}.ts`, join(path, 'index.ts')].find((one) => existsSync(one) && /\.\w+$/.test(one))
}

/** The paths of all modules that `file` loads, itself included. */
export function modulesOf(file) {
  const found = new Set()
  const follow = (one) => {
    if (one === undefined || found.has(one) || !one.endsWith('.ts')) return
    found.add(one)
    for (const next of importsOf(one)) follow(next)
  }
  follow(resolve(root, file))
  return [...found].map((one) => relative(root, one)).sort()
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  const wanted = process.argv.slice(2)
  for (const name of wanted.length > 0 ? wanted : readdirSync(join(root, 'nodes'))) {
    const modules = modulesOf(`nodes/${name}/${name}.ts`)
    const lines = modules.reduce((sum, one) => sum + readFileSync(join(root, one), 'utf8').split('\n').length - 1, 0)
    console.log(`${name.padEnd(24)} ${String(modules.length).padStart(4)} modules ${String(lines).padStart(6)} lines`)
    if (wanted.length > 0) for (const one of modules) console.log(`  ${one}`)
  }
}
