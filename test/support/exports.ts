/** Finds unused exports, by reading every source file once. */
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { exists, filesBelow, read } from './house'

interface Names {
  readonly exported: Set<string>
  /** The imported names by the file that exports them; `*` stands for all names of the file. */
  readonly imported: Map<string, Set<string>>
}

/** The unused exports, each as `path: name`. These are names that no other file imports, so they need no `export`. */
export function unusedExports(folders: readonly string[], isPublic: (path: string) => boolean): string[] {
  const paths = folders.flatMap((folder) => filesBelow(folder, '.ts')).map((path) => path.replaceAll('\\', '/'))
  const files = new Map(paths.map((path) => [path, namesOf(path)] as const))
  const used = new Map<string, Set<string>>()
  for (const { imported } of files.values()) {
    for (const [target, names] of imported) {
      const all = used.get(target) ?? new Set()
      names.forEach((name) => all.add(name))
      used.set(target, all)
    }
  }
  return [...files].flatMap(([path, { exported }]) => {
    const users = used.get(path) ?? new Set()
    if (isPublic(path) || users.has('*')) return []
    return [...exported].filter((name) => !users.has(name)).map((name) => `${path}: ${name}`)
  })
}

function namesOf(path: string): Names {
  const source = ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022)
  const exported = new Set<string>()
  const imported = new Map<string, Set<string>>()
  const use = (specifier: string, name: string) => {
    const target = fileOf(path, specifier)
    if (target) imported.set(target, (imported.get(target) ?? new Set()).add(name))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) importsOf(node, use)
    else if (ts.isExportDeclaration(node)) exportsOf(node, exported, use)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      useAll(node.arguments[0], use)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) useAll(node.argument.literal, use)
    else if (ts.isCallExpression(node) && node.expression.getText(source) === 'require') useAll(node.arguments[0], use)
    else if (ts.canHaveModifiers(node) && isExported(node)) {
      declaredNames(node).forEach((name) => exported.add(name))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { exported, imported }
}

function importsOf(node: ts.ImportDeclaration, use: (specifier: string, name: string) => void): void {
  const from = (node.moduleSpecifier as ts.StringLiteral).text
  const clause = node.importClause
  if (clause?.name) use(from, 'default')
  const bindings = clause?.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) use(from, '*')
  if (bindings && ts.isNamedImports(bindings))
    bindings.elements.forEach((one) => use(from, (one.propertyName ?? one.name).text))
}

function exportsOf(
  node: ts.ExportDeclaration,
  exported: Set<string>,
  use: (specifier: string, name: string) => void,
): void {
  const from = node.moduleSpecifier && (node.moduleSpecifier as ts.StringLiteral).text
  const clause = node.exportClause
  if (from && !clause) use(from, '*')
  if (!clause || !ts.isNamedExports(clause)) return
  for (const one of clause.elements) {
    exported.add(one.name.text)
    if (from) use(from, (one.propertyName ?? one.name).text)
  }
}

function useAll(specifier: ts.Node | undefined, use: (specifier: string, name: string) => void): void {
  if (specifier && ts.isStringLiteral(specifier)) use(specifier.text, '*')
}

const isExported = (node: ts.HasModifiers) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true &&
  !node.modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)

function declaredNames(node: ts.Node): string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  }
  const { name } = node as { name?: ts.Node }
  return name && ts.isIdentifier(name) ? [name.text] : []
}

/** The source file that a relative import refers to. */
function fileOf(importer: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const path = join(dirname(importer), specifier.replace(/\.js$/, '')).replaceAll('\\', '/')
  return [`${path}.ts`, `${path}/index.ts`, `${path}.d.ts`].find((one) => exists(one))
}
