/** The exported types of messages match the outputs in the help of each node. */
import { join } from 'node:path'
import should from 'should'
import ts from 'typescript'
import { nodeNames, read, root } from './support/house'

/** The names in each output of a help page, in the order of the outputs. */
function outputsOf(name: string): string[][] {
  const help = read('locales', 'en-US', `${name}.md`)
  const [, section = ''] = /\n### Outputs\n([\s\S]*?)(?=\n### |\n<details>|$)/.exec(help) ?? []
  const parts = /^1\. /m.test(section) ? section.split(/^\d+\. .*$/m).slice(1) : [section]
  const entries = (part: string) => [...part.matchAll(/^: (?:\*optional\* )?(.+?) \(/gm)].map(([, names = '']) => names)
  return parts.map((part) => entries(part).flatMap((names) => names.split(/, | \| /)))
}

/** The names in each output of the exported types. */
function typesOf(): Map<string, string[][]> {
  const file = join(root, 'lib', 'messages.ts')
  const program = ts.createProgram([file], { strict: true, noLib: true })
  const checker = program.getTypeChecker()
  const namesIn = (type: ts.Type): string[] =>
    type.isUnion() ? type.types.flatMap(namesIn) : checker.getPropertiesOfType(type).map((one) => one.name)
  const found = new Map<string, string[][]>()
  for (const statement of program.getSourceFile(file)?.statements ?? []) {
    if (!ts.isInterfaceDeclaration(statement) || statement.name.text !== 'NodeMessages') continue
    for (const member of statement.members) {
      if (!ts.isPropertySignature(member) || !member.type || !ts.isTupleTypeNode(member.type)) continue
      const name = (member.name as ts.StringLiteral | ts.Identifier).text
      found.set(
        name,
        member.type.elements.map((one) => [...new Set(namesIn(checker.getTypeFromTypeNode(one)))]),
      )
    }
  }
  return found
}

describe('the types of messages', () => {
  const types = typesOf()
  const withOutputs = nodeNames.filter((name) => outputsOf(name).some((names) => names.length > 0))

  it('are there for every node that sends one', () =>
    should([...types.keys()].sort()).deepEqual([...withOutputs].sort()))

  for (const name of withOutputs) {
    it(`of ${name} hold what its help says of its outputs, and nothing else`, () => {
      const inHelp = outputsOf(name)
      const inTypes = types.get(name) ?? []
      should(inTypes).have.length(inHelp.length)
      inHelp.forEach((names, at) => should(names.filter((one) => !inTypes[at]?.includes(one))).deepEqual([]))
      should(inTypes.flat().filter((one) => !inHelp.flat().includes(one))).deepEqual([])
    })
  }
})
