/** Works pages with the keyboard alone. */
import type { Locator, Page } from 'playwright-core'

/** Presses Tab until this control has the focus; rejects when it never gets it. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 200; presses++) {
    if (await control.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never leads to ${String(control)}`)
}

/** Leads to a button or link with Tab and presses Enter. */
export async function pressOn(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

interface Window {
  missing: Set<Element>
  unseen: string[]
}

/**
 * What keeps a page from being worked by keyboard, in words: controls that Tab never reaches, and those that do not
 * show the focus. Of a group of radio buttons one is enough, since the arrows lead to the others.
 */
export async function keyboardFindings(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const controls = document.querySelectorAll('a[href], button, input, select, textarea, summary, iframe, [tabindex]')
    const usable = Array.from(controls).filter(
      (one) => one.checkVisibility() && !one.matches(':disabled, [type=hidden], [tabindex="-1"]'),
    )
    Object.assign(window, { missing: new Set(usable), unseen: [] })
    return usable.length
  })
  // Fields such as dates have several stops.
  for (let presses = 0; presses < count * 5 + 5; presses++) {
    await page.keyboard.press('Tab')
    const left = await page.evaluate(() => {
      const { missing, unseen } = window as unknown as Window
      const focused = document.activeElement
      if (!focused || !missing.has(focused)) return missing.size
      // In a frame the control that has the focus shows it.
      const { outlineStyle, outlineWidth } = getComputedStyle(focused)
      if (focused.tagName !== 'IFRAME' && (outlineStyle === 'none' || outlineWidth === '0px'))
        unseen.push(`no focus shown: ${focused.outerHTML.slice(0, 120)}`)
      const group = focused instanceof HTMLInputElement && focused.type === 'radio' ? focused.name : undefined
      for (const one of missing) {
        if (one === focused || (group !== undefined && one.getAttribute('name') === group)) missing.delete(one)
      }
      return missing.size
    })
    if (left === 0) break
  }
  return page.evaluate(() => {
    const { missing, unseen } = window as unknown as Window
    return [...[...missing].map((one) => `not reached: ${one.outerHTML.slice(0, 120)}`), ...unseen]
  })
}
