/** The canvas marks a *wait* on the way that rows take back to their list, before the deploy. @rest */
import should from 'should'
import { closeDialog, isMarked, openNode, type EditorPage } from '../support/node-red/editor'
import { useEditor } from './support/desk'

interface Editor {
  nodes: {
    import(nodes: object[]): void
    node(id: string): object
    addLink(link: object): void
    removeLink(link: object): void
    filterLinks(wanted: object): object[]
  }
  view: { redraw(all: boolean): void }
}

describe('a list whose rows come back through a wait', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  const draw = (rows: object, wait: object = {}) =>
    page.evaluate(
      ([list, waits]) => {
        const { RED } = window as unknown as { RED: Editor }
        const at = { z: 'f', y: 120 }
        RED.nodes.import([
          { ...at, id: 'c', type: 'eid-client', name: 'Sandbox', environment: 'sandbox' },
          { ...at, id: 'b', type: 'eid-batch', name: 'tenants', x: 160, wires: [['d'], []], ...list },
          { ...at, id: 'd', type: 'eid-create-document', client: 'c', x: 400, wires: [['w']] },
          { ...at, id: 'w', type: 'eid-wait', client: 'c', name: 'signed?', x: 640, wires: [['b'], [], []], ...waits },
        ])
        RED.view.redraw(true)
      },
      [rows, wait] as const,
    )
  const wire = (source: string, target: string) =>
    page.evaluate(
      ([from, to]) => {
        const { RED } = window as unknown as { RED: Editor }
        RED.nodes.addLink({ source: RED.nodes.node(from), sourcePort: 0, target: RED.nodes.node(to) })
      },
      [source, target] as const,
    )

  it('is marked, names the wait, and is no longer marked once a wire leads past it', async () => {
    await draw({})
    should(await isMarked(page, 'b')).be.true()
    const dialog = await openNode(page, 'b')
    await dialog.locator('[data-row="parallel"] .input-error, #node-input-parallel.input-error').waitFor()
    await page.screenshot({ path: '.cache/pictures/wait-on-the-way-back.png' })
    await closeDialog(page)
    await wire('d', 'b')
    await page.waitForFunction(() => {
      const { RED } = window as unknown as { RED: Editor }
      return (RED.nodes.node('b') as { valid?: boolean }).valid !== false
    })
    should(await isMarked(page, 'b')).be.false()
  })

  it('is not marked if enough rows may be in flight', async () => {
    await draw({ parallel: '500' })
    should(await isMarked(page, 'b')).be.false()
  })

  it('has a hint in its form until a wire and a Catch node lead back', async () => {
    await draw({}, { wires: [[], [], []] })
    const hintOf = async () => {
      const dialog = await openNode(page, 'b')
      await page.screenshot({ path: '.cache/pictures/no-way-back.png' })
      const hints = await dialog.locator('[data-row="parallel"] + .eid-way-back').allTextContents()
      await closeDialog(page)
      return hints.join()
    }
    should(await hintOf()).startWith('No wire leads back to this node')
    await wire('d', 'b')
    should(await hintOf()).startWith('Rows that fail do not come back')
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: Editor }
      RED.nodes.import([{ z: 'f', id: 'k', type: 'catch', scope: ['d'], x: 160, y: 220, wires: [[]] }])
      RED.view.redraw(true)
    })
    await wire('k', 'b')
    should(await hintOf()).equal('')
  })

  it('is not marked if the rows do not come back by a wire', async () => {
    await draw({}, { wires: [[], [], []] })
    should(await isMarked(page, 'b')).be.false()
  })
})
