/** Draws wires on the canvas of the editor, as a person does. */
import type { Locator, Page } from 'playwright-core'

/**
 * Draws a wire from the first output of one node to the input of another, given by their ids, and waits until the editor
 * has it.
 */
export async function drawWire(page: Page, from: string, to: string): Promise<void> {
  const out = await boxOf(page.locator(`[id="${from}"] .red-ui-flow-port-output .red-ui-flow-port`).first())
  const into = await boxOf(page.locator(`[id="${to}"] .red-ui-flow-port-input .red-ui-flow-port`))
  await page.mouse.move(out.x + out.width / 2, out.y + out.height / 2)
  await page.mouse.down()
  await page.mouse.move(into.x - 10, into.y + into.height / 2, { steps: 8 })
  await page.mouse.move(into.x + into.width / 2, into.y + into.height / 2, { steps: 4 })
  await page.mouse.up()
  const isDrawn = ([source, target]: readonly [string, string]) => {
    const { RED } = window as unknown as { RED: { nodes: { eachLink(use: (link: Link) => void): void } } }
    let found = false
    // A callback that returns false would end the loop.
    RED.nodes.eachLink((link) => {
      if (link.source.id === source && link.target.id === target) found = true
    })
    return found
  }
  await page.waitForFunction(isDrawn, [from, to] as const, { polling: 30 })
}

interface Link {
  readonly source: { readonly id: string }
  readonly target: { readonly id: string }
}

async function boxOf(port: Locator) {
  const box = await port.boundingBox()
  if (!box) throw new Error('there is no port')
  return box
}
