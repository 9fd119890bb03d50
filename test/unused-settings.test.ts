/**
 * Finds settings that have a label, a help, a row in the form and a value in the fixture, but that their node never
 * reads.
 */
import should from 'should'
import { isTyped, type Fields } from '../lib/settings/fields'
import { fieldsOf, filesBelow, nodeNames, read } from './support/house'

/** The base of all nodes reads the settings that all nodes have. */
const base = filesBelow('lib/runtime/node', '.ts')

/**
 * The code that the node runs, without its table of settings and its code for browsers, but with the code that it
 * shares with other nodes.
 */
function codeOf(name: string): string {
  const own = filesBelow(`nodes/${name}`, '.ts').filter((path) => !/\.(fields|editor|page)\.ts$/.test(path))
  const shared = own.flatMap((path) =>
    [...read(path).matchAll(/from '(?:\.\.\/)+(lib\/runtime\/service\/[\w-]+)'/g)].map(([, room]) => `${room}.ts`),
  )
  const paths = [...new Set([...own, ...shared, ...base])]
  return paths.map((path) => read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')).join('\n')
}

/**
 * The settings, and columns of lists, that the code does not read: neither as a property, nor by destructuring, nor by
 * name.
 */
function unusedOf(fields: Fields, code: string): string[] {
  const isRead = (name: string) => new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*(?=[,}:=])|'${name}'`).test(code)
  // A choice that says how to read another setting is read together with it.
  const companions = new Set(Object.values(fields).map((field) => (isTyped(field) ? field.as : undefined)))
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(isRead(name) || companions.has(name) ? [] : [name]),
    ...(isTyped(field) && field.rows ? unusedOf(field.rows, code).map((column) => `${name}.${column}`) : []),
  ])
}

describe('the settings', () => {
  for (const name of nodeNames) {
    it(`of ${name} are all read by the node`, async () => {
      should(unusedOf(await fieldsOf(name), codeOf(name))).deepEqual([])
    })
  }

  it('that nothing reads are found, also in lists', () => {
    const idle = { kind: 'string', initial: '', type: 'str' } as const
    const list = { ...idle, kind: 'array', type: 'form', rows: { ownIdleColumn: idle } } as const
    const fields: Fields = { ownIdleSetting: idle, ownIdleList: list }
    should(unusedOf(fields, codeOf('wait'))).deepEqual(['ownIdleSetting', 'ownIdleList', 'ownIdleList.ownIdleColumn'])
  })
})
