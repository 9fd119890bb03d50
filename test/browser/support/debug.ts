/** The debug sidebar of an editor. */
import type { Page } from 'playwright-core'
import { until } from '../../support/time'

/**
 * Shows the debug sidebar. A new editor may still switch to its first tab afterwards, so the function tries again until
 * the sidebar is shown.
 */
export async function showDebug(page: Page): Promise<void> {
  await until(async () => {
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: { actions: { invoke(name: string): void } } }
      RED.actions.invoke('core:show-debug-tab')
    })
    return page.locator('.red-ui-debug-content-list').isVisible()
  })
}
