/** Draws wires on the canvas of the editor, as a person does. */
import type { Locator, Page } from 'playwright-core'

/** Draws a wire from the first output of one node to the input of another, given by their ids. */
export async function drawWire(page: Page, from: string, to: string): Promise<void> {
  const out = await boxOf(page.locator(`[id="${from}"] .red-ui-flow-port-output .red-ui-flow-port`).first())
  const into = await boxOf(page.locator(`[id="${to}"] .red-ui-flow-port-input .red-ui-flow-port`))
  await page.mouse.move(out.x + out.width / 2, out.y + out.height / 2)
  await page.mouse.down()
  await page.mouse.move(into.x - 10, into.y + into.height / 2, { steps: 8 })
  await page.mouse.move(into.x + into.width / 2, into.y + into.height / 2, { steps: 4 })
  await page.mouse.up()
}

async function boxOf(port: Locator) {
  const box = await port.boundingBox()
  if (!box) throw new Error('there is no port')
  return box
}
