/** Whose columns a form offers: those of the list whose rows can arrive at its node. */
import { join } from 'node:path'
import should from 'should'
import { root } from '../../support/house'

type Settings = Readonly<Record<string, unknown>>

const page = globalThis as { RED?: object }

describe('the list whose columns a form offers', () => {
  const original = page.RED
  let lastList: () => { readonly path: string } | undefined
  before(async () => {
    // The compiler knows the editor's own names only in the editor's project, so this file is loaded by its path.
    const module = (await import(join(root, 'lib/editor/insert-field.ts'))) as { lastList: typeof lastList }
    lastList = module.lastList
  })
  after(() => void (page.RED = original))

  const batch = { id: 'b', z: 'elsewhere', type: 'eid-batch', rowsType: 'path', rows: 'tenants.xlsx' }
  const offered = (nodes: readonly Settings[], here = 'tab') => {
    page.RED = {
      workspaces: { active: () => here },
      nodes: {
        workspace: (id: string) => (id === 'tab' ? { id } : undefined),
        eachNode: (use: (node: Settings) => void) => nodes.forEach((node) => use(node)),
      },
    }
    return lastList()?.path
  }

  it('is that of another place only if its rows can arrive', () => {
    should(offered([batch])).be.undefined()
    should(offered([batch, { id: 'l', z: 'tab', type: 'link in' }])).equal('tenants.xlsx')
    should(offered([batch, { id: 'l', z: 'other', type: 'link in' }])).be.undefined()
    should(offered([batch], 'subflow')).equal('tenants.xlsx')
  })

  it('can be that of a subflow that is used on this tab', () => {
    should(offered([batch, { id: 's', z: 'tab', type: 'subflow:elsewhere' }])).equal('tenants.xlsx')
    should(offered([batch, { id: 's', z: 'other', type: 'subflow:elsewhere' }])).be.undefined()
  })
})
