/** Asks axe-core what keeps people out. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Serious and critical findings of axe-core within `selector`, in words. */
export async function accessibilityFindings(page: Page, selector: string): Promise<string[]> {
  // As the debugger's own words: a script element would not get past the content security policy of our pages.
  const axe = createRequire(__filename).resolve('axe-core/axe.min.js')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async (inside) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run(inside, { iframes: false, resultTypes: ['violations'] })
    const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
    return serious.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`))
  }, selector)
}

interface Axe {
  run(
    selector: string,
    options: { iframes: boolean; resultTypes: string[] },
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}
