/** Checks a page of ours for people with different needs: light, dark, enlarged, by keyboard. */
import type { Page } from 'playwright-core'
import should from 'should'
import { accessibilityFindings, contrast } from './accessibility'
import { keyboardFindings } from './keyboard'

/**
 * Fails if axe-core finds something serious in light or in dark, if Tab cannot reach a control, or if the page scrolls
 * sideways at 320 pixels, the width of a screen at 400 %.
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

/** Collects errors in the page's console: errors of scripts, and everything that its security policy has blocked. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Some tests are about answers with 403 or 410, so these are not errors.
    const isComplaint = message.type() === 'error' && !message.text().startsWith('Failed to load resource')
    if (isComplaint) complaints.push(message.text())
  })
  return complaints
}
