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
        workspace: (id: string) => (['tab', 'elsewhere', 'third'].includes(id) ? { id } : undefined),
        eachNode: (use: (node: Settings) => void) => nodes.forEach((node) => use(node)),
      },
    }
    return lastList()?.path
  }

  it('is that of another place only if its rows can arrive', () => {
    should(offered([batch])).be.undefined()
    should(offered([batch, { id: 'l', z: 'tab', type: 'link in' }])).equal('tenants.xlsx')
    should(offered([batch, { id: 'l', z: 'other', type: 'link in' }])).be.undefined()
    // The rows that the link leads into the subflow come out of it here.
    const used = { id: 's', z: 'tab', type: 'subflow:other' }
    should(offered([batch, { id: 'l', z: 'other', type: 'link in' }, used])).equal('tenants.xlsx')
    should(offered([batch], 'subflow')).equal('tenants.xlsx')
    // A subflow may be meant for any list as long as no tab contains it.
    should(offered([batch, { id: 's', z: 'outer', type: 'subflow:subflow' }], 'subflow')).equal('tenants.xlsx')
  })

  it('can be that of a subflow that is used on this tab', () => {
    should(offered([batch, { id: 's', z: 'tab', type: 'subflow:elsewhere' }])).equal('tenants.xlsx')
    should(offered([batch, { id: 's', z: 'other', type: 'subflow:elsewhere' }])).be.undefined()
  })

  it('can be that of a subflow inside of one that is used on this tab', () => {
    const inner = { id: 'i', z: 'outer', type: 'subflow:elsewhere' }
    should(offered([batch, inner, { id: 's', z: 'tab', type: 'subflow:outer' }])).equal('tenants.xlsx')
    should(offered([batch, inner, { id: 's', z: 'other', type: 'subflow:outer' }])).be.undefined()
  })

  it('is not that of another tab because of a subflow without a list', () => {
    const logging = (z: string) => ({ id: z, z, type: 'subflow:logging' })
    should(offered([batch, logging('tab')])).be.undefined()
    // Both tabs use the subflow, but no row comes from one of its instances to the other.
    should(offered([batch, logging('tab'), logging('elsewhere')])).be.undefined()
    const own = { ...batch, z: 'used', rows: 'owners.xlsx' }
    should(offered([own, batch, logging('tab'), { id: 'u', z: 'tab', type: 'subflow:used' }])).equal('owners.xlsx')
  })

  it('is that of the place in which the open subflow is used', () => {
    const used = (z: string) => ({ id: z, z, type: 'subflow:subflow' })
    const wages = { ...batch, z: 'third', rows: 'wages.xlsx' }
    should(offered([batch, wages, used('elsewhere')], 'subflow')).equal('tenants.xlsx')
    should(offered([batch, used('tab')], 'subflow')).be.undefined()
    should(offered([batch, used('tab'), { id: 'l', z: 'tab', type: 'link in' }], 'subflow')).equal('tenants.xlsx')
    const nested = { id: 'o', z: 'elsewhere', type: 'subflow:outer' }
    should(offered([batch, wages, used('outer'), nested], 'subflow')).equal('tenants.xlsx')
    // The list is in a subflow beside this one.
    should(offered([batch, wages, used('tab'), { ...nested, z: 'tab', type: 'subflow:elsewhere' }], 'subflow')).equal(
      'tenants.xlsx',
    )
  })
})
