/** Looks at a page of ours as people with different needs do: light, dark, by keyboard. */
import type { Page } from 'playwright-core'
import should from 'should'
import { accessibilityFindings } from './harness'
import { keyboardFindings } from './keyboard'

/** Fails when axe-core finds something serious, in light or in dark, or when a control cannot be reached with Tab. */
export async function shouldSuitEverybody(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    should(await accessibilityFindings(page, 'html')).deepEqual([], `in ${colorScheme}`)
  }
  should(await keyboardFindings(page)).deepEqual([])
}
