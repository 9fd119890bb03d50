/** Asks axe-core what keeps people out. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/**
 * Serious and critical findings of axe-core within `selector`, in words. With `rules` only theirs: in other colors
 * nothing but the contrast can be another.
 */
export async function accessibilityFindings(
  page: Page,
  selector: string,
  rules?: readonly string[],
): Promise<string[]> {
  // As the debugger's own words: a script element would not get past the content security policy of our pages.
  const axe = createRequire(__filename).resolve('axe-core/axe.min.js')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(
    async ([inside, runOnly]) => {
      const { axe } = window as unknown as { axe: Axe }
      // The body of the editor has no height of its own and cuts off what is outside: axe would take all of it for hidden.
      if (document.body.offsetHeight === 0) document.body.style.minHeight = '100vh'
      // It goes through the whole page each time, most of which is the editor's own.
      const parts = '#red-ui-palette, #red-ui-sidebar, body > .red-ui-typedInput-options'
      const aside = Array.from(document.querySelectorAll(parts))
        .filter((one) => !one.querySelector(inside))
        .map((one) => [one, document.createComment('')] as const)
      for (const [one, place] of aside) one.replaceWith(place)
      const options = { iframes: false, resultTypes: ['violations'], ...(runOnly && { runOnly }) }
      const { violations } = await axe.run(inside, options)
      for (const [one, place] of aside) place.replaceWith(one)
      const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
      return serious.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`))
    },
    [selector, rules] as const,
  )
}

/** The rules that depend on the colors of a page. */
export const contrast: readonly string[] = ['color-contrast']

interface Axe {
  run(
    selector: string,
    options: { iframes: boolean; resultTypes: string[]; runOnly?: readonly string[] },
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}
