/**
 * A form that is opened and closed with Done changes nothing: not in a node whose flow file lacks every setting, not in
 * the oldest stored flows, and not in a copy.
 *
 * @rest
 */
import should from 'should'
import type { Fields } from '../../lib/settings/fields'
import { fieldsOf, nodeNames, onCanvas, read } from '../support/house'
import { useEditor } from './support/desk'
import { finishForm, openForm } from './support/walked-form'
import { openDialog, settingsOf, showFlows, type EditorPage, type NodeRed } from '../support/node-red/editor'

interface EditorRed {
  nodes: {
    node(id: string): { id: string; type: string; changed?: boolean; _def: { category: string } }
    eachNode(use: (node: { id: string; type: string }) => void): void
    eachConfig(use: (node: { id: string; type: string }) => void): void
  }
  editor: { editConfig(name: string, type: string, id: string): void }
  actions: { invoke(name: string): void }
}

describe('a form that is opened and closed', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  const isConfig = (id: string) =>
    page.evaluate((one) => {
      const { RED } = window as unknown as { RED: EditorRed }
      return RED.nodes.node(one)._def.category === 'config'
    }, id)
  const open = async (id: string) => {
    if (!(await isConfig(id))) return openForm(page, id)
    await page.evaluate((one) => {
      const { RED } = window as unknown as { RED: EditorRed }
      RED.editor.editConfig('', RED.nodes.node(one).type, one)
    }, id)
    return openDialog(page)
  }
  const finish = async (id: string) => {
    if (!(await isConfig(id))) return finishForm(page)
    await page.locator('#node-config-dialog-ok').click()
    await page.locator('.red-ui-tray').waitFor({ state: 'detached' })
  }
  const isChanged = (id: string) =>
    page.evaluate((one) => (window as unknown as { RED: EditorRed }).RED.nodes.node(one).changed === true, id)
  const ours = () =>
    page.evaluate(() => {
      const { RED } = window as unknown as { RED: EditorRed }
      const ids: string[] = []
      const add = ({ id, type }: { id: string; type: string }) => type.startsWith('eid-') && ids.push(id)
      RED.nodes.eachNode(add)
      RED.nodes.eachConfig(add)
      return ids
    })
  const changesNothing = async (id: string) => {
    const before = [await settingsOf(page, id), await isChanged(id)]
    await open(id)
    await finish(id)
    should([await settingsOf(page, id), await isChanged(id)]).deepEqual(before, id)
  }

  it('changes no node whose flow file lacks everything, and shows the defaults', async () => {
    await showFlows(page, red, lackingNodes())
    for (const name of nodeNames) {
      await open(name)
      const prefix = onCanvas.includes(name) ? 'node-input' : 'node-config-input'
      should(await shownIn(page, await fieldsOf(name), prefix)).deepEqual(await initialsOf(name), name)
      await finish(name)
      await changesNothing(name)
    }
  })

  it('stores only what a person has changed', async () => {
    await showFlows(page, red, lackingNodes())
    for (const name of nodeNames) {
      // The editor moves a node whose name becomes longer or shorter.
      const { x: _x, ...before } = await settingsOf(page, name)
      const dialog = await open(name)
      await dialog.locator('#node-input-name, #node-config-input-name').fill('Lease')
      await finish(name)
      const { x, ...after } = await settingsOf(page, name)
      should(after).deepEqual(Object.assign(before, { name: 'Lease' }), `${name} ${String(x)}`)
    }
  })

  it('changes nothing in the oldest stored flows', async () => {
    await showFlows(page, red, JSON.parse(read('test', 'fixtures', 'flows-1.0.json')) as object[])
    for (const id of await ours()) await changesNothing(id)
  })

  it('changes no copy', async () => {
    await showFlows(page, red, lackingNodes())
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: EditorRed }
      RED.actions.invoke('core:select-all-nodes')
      RED.actions.invoke('core:copy-selection-to-internal-clipboard')
      RED.actions.invoke('core:paste-from-internal-clipboard')
    })
    await page.keyboard.press('Enter')
    const copies = (await ours()).filter((id) => !nodeNames.includes(id))
    should(copies.length).equal(onCanvas.length)
    for (const id of copies.slice(0, 3)) await changesNothing(id)
  })

  it('keeps a config node that is gone, and a choice that the form does not offer', async () => {
    const client = { id: 'client', type: 'eid-client', proxy: 'gone', tls: 'gone', sharePaths: 'later' }
    await showFlows(page, red, [{ id: 'f', type: 'tab' }, client])
    await changesNothing('client')
    should(await settingsOf(page, 'client')).have.properties({ proxy: 'gone', tls: 'gone', sharePaths: 'later' })
  })
})

/** One node of each type, whose id is its name, without any setting. */
function lackingNodes(): object[] {
  const place = (name: string, index: number) => onCanvas.includes(name) && { z: 'f', x: 200, y: 40 * index, wires: [] }
  return [
    { id: 'f', type: 'tab' },
    ...nodeNames.map((id, index) => Object.assign({ id, type: `eid-${id}` }, place(id, index))),
  ]
}

async function initialsOf(name: string): Promise<Record<string, unknown>> {
  const entries = Object.entries(await fieldsOf(name)).filter(([, { kind }]) => kind !== 'config')
  return Object.fromEntries(
    entries.map(([key, { kind, initial }]) => [key, kind === 'flag' ? initial : String(initial)]),
  )
}

/** What the open form shows. */
function shownIn(page: EditorPage, fields: Fields, prefix: string): Promise<Record<string, unknown>> {
  return page.evaluate(
    ([table, before]) => {
      const { jQuery: $ } = window as unknown as {
        jQuery(selector: string): { typedInput(method: 'value'): string; val(): string; prop(name: string): boolean }
      }
      const entries = Object.entries(table).flatMap(([name, field]) => {
        const input = $(`#${before}-${name}`)
        if (field.kind === 'config') return []
        if (field.kind === 'flag') return [[name, input.prop('checked')]]
        return [[name, 'type' in field ? input.typedInput('value') : input.val()]]
      })
      return Object.fromEntries(entries) as Record<string, unknown>
    },
    [fields, prefix] as const,
  )
}
