/** Looks at a page of ours as people with different needs do: light, dark, enlarged, by keyboard. */
import type { Page } from 'playwright-core'
import should from 'should'
import { accessibilityFindings, contrast } from './accessibility'
import { keyboardFindings } from './keyboard'

/**
 * Fails when axe-core finds something serious, in light or in dark, when a control cannot be reached with Tab, or when
 * the page has to be scrolled sideways at 320 pixels, which is what is left of a screen at 400 %.
 */
export async function shouldSuitEverybody(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  should(await accessibilityFindings(page, 'html')).deepEqual([], 'in light')
  await page.emulateMedia({ colorScheme: 'dark' })
  should(await accessibilityFindings(page, 'html', contrast)).deepEqual([], 'in dark')
  should(await keyboardFindings(page)).deepEqual([])
  const usual = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.setViewportSize({ width: 320, height: 640 })
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  should(tooWide).be.belowOrEqual(0, `${tooWide} pixels too wide at 320`)
  await page.setViewportSize(usual)
}

/** Collects what a page complains of in its console: errors of scripts, and what its security policy has blocked. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // That an answer says 403 or 410 is what some of the tests are about.
    const isComplaint = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
    if (isComplaint) complaints.push(message.text())
  })
  return complaints
}
