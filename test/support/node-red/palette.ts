/** Takes nodes from the palette to the canvas, as a person does with the mouse. */
import type { Locator, Page } from 'playwright-core'
import { until } from '../time'

/** Seconds. */
const patience = 30

/**
 * Drags a node of this type from the palette to a place of the canvas and gives its id; `onWire` lets it go when the
 * wire that is there takes it in.
 */
export async function dragNode(page: Page, type: string, x = 300, y = 200, onWire = false): Promise<string> {
  const before = await nodeIds(page, type)
  const from = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
  await from.scrollIntoViewIfNeeded()
  const box = await restingBox(from)
  const canvas = await restingBox(page.locator('#red-ui-workspace-chart'))
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(canvas.x + x - 20, canvas.y + y - 20, { steps: 5 })
  await page.mouse.move(canvas.x + x, canvas.y + y, { steps: 5 })
  if (onWire) await page.locator('.red-ui-flow-link-splice').first().waitFor({ state: 'attached' })
  await page.mouse.up()
  return until(async () => (await nodeIds(page, type)).find((one) => !before.includes(one)), patience)
}

/** Where it is once two looks have seen it at the same place: an editor that has just been opened still moves. */
async function restingBox(of: Locator): Promise<{ x: number; y: number; height: number }> {
  let last = ''
  return until(async () => {
    const box = await of.boundingBox()
    const before = last
    last = JSON.stringify(box)
    return last === before && box ? box : undefined
  }, patience)
}

interface EditorRed {
  nodes: { node(id: string): { readonly type: string } | null }
}

/** Nodes of another type that were imported before may be drawn only now. */
function nodeIds(page: Page, type: string): Promise<string[]> {
  return page.locator('.red-ui-flow-node-group').evaluateAll((nodes, wanted) => {
    const { RED } = window as unknown as { RED: EditorRed }
    return nodes.map(({ id }) => id).filter((id) => RED.nodes.node(id)?.type === wanted)
  }, type)
}
