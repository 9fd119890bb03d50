/** Takes nodes from the palette to the canvas, as a person does with the mouse. */
import type { Locator, Page } from 'playwright-core'
import { until } from '../time'

/**
 * Drags a node of this type from the palette to a place on the canvas and returns its id. With `onWire`, drops the node
 * only once the editor marks the wire below it as the wire into which the node will be inserted.
 */
export async function dragNode(page: Page, type: string, x = 300, y = 200, onWire = false): Promise<string> {
  const before = await nodeIds(page, type)
  // Just after the flows were replaced, the editor ignores a drag; a person drags again. The editor has the node as soon
  // as the mouse is released, so a drag that is only slow is not repeated.
  const id = await until(async () => {
    await drag(page, type, { x, y, onWire })
    return (await nodeIds(page, type)).find((one) => !before.includes(one))
  })
  await page.locator(`[id="${id}"]`).waitFor()
  return id
}

async function drag(page: Page, type: string, to: { x: number; y: number; onWire: boolean }): Promise<void> {
  const from = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
  await from.scrollIntoViewIfNeeded()
  const box = await restingBox(from)
  const canvas = await restingBox(page.locator('#red-ui-workspace-chart'))
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(canvas.x + to.x - 20, canvas.y + to.y - 20, { steps: 5 })
  await page.mouse.move(canvas.x + to.x, canvas.y + to.y, { steps: 5 })
  if (to.onWire) await page.locator('.red-ui-flow-link-splice').first().waitFor({ state: 'attached' })
  await page.mouse.up()
}

/**
 * Returns the box of an element once two checks in a row have found the element in the same place. In a new editor, the
 * elements still move at first.
 */
async function restingBox(of: Locator): Promise<{ x: number; y: number; height: number }> {
  let last = ''
  return until(async () => {
    const box = await of.boundingBox()
    const before = last
    last = JSON.stringify(box)
    return last === before && box ? box : undefined
  })
}

interface EditorRed {
  nodes: { filterNodes(by: { type: string }): { readonly id: string }[] }
}

/** The ids of the nodes of this type. */
function nodeIds(page: Page, type: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const { RED } = window as unknown as { RED: EditorRed }
    return RED.nodes.filterNodes({ type: wanted }).map(({ id }) => id)
  }, type)
}
