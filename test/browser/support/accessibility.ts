/** Checks a page with axe-core. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/**
 * Serious and critical findings of axe-core within `selector`, in words. The pages of all tabs of a form are shown while
 * axe runs, so that one run checks the whole form. `rules` limits the check to these rules: in another color scheme,
 * only the contrast can differ.
 */
export async function accessibilityFindings(
  page: Page,
  selector: string,
  rules?: readonly string[],
): Promise<string[]> {
  // Evaluated by the debugger, because the content security policy of our pages would block a script element.
  const axe = createRequire(__filename).resolve('axe-core/axe.min.js')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(
    async ([inside, runOnly]) => {
      const { axe } = window as unknown as { axe: Axe }
      // The editor's body has no height and cuts off what is outside, so axe would treat everything as hidden.
      if (document.body.offsetHeight === 0) document.body.style.minHeight = '100vh'
      // axe goes through the whole page each time, and most of the page belongs to the editor, so these parts are
      // removed from the page while axe runs.
      const parts = '#red-ui-palette, #red-ui-sidebar, body > .red-ui-typedInput-options'
      const aside = Array.from(document.querySelectorAll(parts))
        .filter((one) => !one.querySelector(inside))
        .map((one) => [one, document.createComment('')] as const)
      for (const [one, place] of aside) one.replaceWith(place)
      const tabs = Array.from(document.querySelectorAll<HTMLElement>('.red-ui-tray [role=tab]'))
      const hidden = tabs.flatMap((tab) => {
        const page = document.getElementById(tab.getAttribute('aria-controls') ?? '')
        return page && page.style.display === 'none' && tab.style.display !== 'none' ? [page] : []
      })
      for (const page of hidden) page.style.display = 'block'
      const options = { iframes: false, resultTypes: ['violations'], ...(runOnly && { runOnly }) }
      const { violations } = await axe.run(inside, options)
      for (const page of hidden) page.style.display = 'none'
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
