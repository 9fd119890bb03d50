/** A setting that has a label, a help, a row in the form and a value in the fixture, and that its node never reads. */
import should from 'should'
import { isTyped, type Fields } from '../lib/settings/fields'
import { fieldsOf, filesBelow, nodeNames, read } from './support/house'

/** What every node runs on reads the settings that all of them have. */
const base = filesBelow('lib/runtime/node', '.ts')

/** What the node runs, without its tables and what runs in a browser, and what it shares with others of its kind. */
function codeOf(name: string): string {
  const own = filesBelow(`nodes/${name}`, '.ts').filter((path) => !/\.(fields|editor|page)\.ts$/.test(path))
  const shared = own.flatMap((path) =>
    [...read(path).matchAll(/from '(?:\.\.\/)+(lib\/runtime\/service\/[\w-]+)'/g)].map(([, room]) => `${room}.ts`),
  )
  const paths = [...new Set([...own, ...shared, ...base])]
  return paths.map((path) => read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')).join('\n')
}

/** The settings, and columns of lists, that nothing in the code reads: as a property, by taking apart, or by name. */
function unusedOf(fields: Fields, code: string): string[] {
  const isRead = (name: string) => new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*(?=[,}:=])|'${name}'`).test(code)
  // A choice that says how another setting is meant is read along with it.
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
