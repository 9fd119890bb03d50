/** Works pages with the keyboard alone. */
import type { Locator, Page } from 'playwright-core'

/** What Tab may lead to. */
const tabStops = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]'

/** Presses Tab until this control has the focus; rejects when it never gets it. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  let presses = 0
  while (presses < 400) {
    const stops = await control.evaluate(stopsBefore, tabStops)
    if (stops === 0) return
    // Controls with several stops, or without one, make the figure a guess: half of it never leads past the control.
    const few = Math.ceil(stops / 2)
    await pressTab(page, few)
    presses += few
  }
  throw new Error(`Tab never leads to ${String(control)}`)
}

/** In the page: how many controls there are from the one that has the focus to this one; 1 when it comes before. */
function stopsBefore(control: Element, tabStops: string): number {
  if (control === document.activeElement) return 0
  const controls = document.querySelectorAll(tabStops)
  const usable = Array.from(controls).filter(
    (one) =>
      one.checkVisibility() && !one.matches(':disabled, [type=hidden], [type=radio]:not(:checked), [tabindex="-1"]'),
  )
  const from = usable.findIndex((one) => one === document.activeElement)
  return Math.max(1, usable.indexOf(control) - from)
}

/** Presses it this many times without looking at the page in between. */
async function pressTab(page: Page, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')))
}

/** Leads to a button or link with Tab and presses Enter. */
export async function pressOn(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

interface Window {
  missing: Set<Element>
  unseen: string[]
  look(): void
}

/**
 * What keeps a page from being worked by keyboard, in words: controls that Tab never reaches, and those that do not
 * show the focus. Of a group of radio buttons one is enough, since the arrows lead to the others.
 */
export async function keyboardFindings(page: Page): Promise<string[]> {
  const count = await page.evaluate((tabStops) => {
    const controls = document.querySelectorAll(tabStops)
    const usable = Array.from(controls).filter(
      (one) => one.checkVisibility() && !one.matches(':disabled, [type=hidden], [tabindex="-1"]'),
    )
    const missing = new Set(usable)
    const unseen: string[] = []
    const watch: Window = {
      missing,
      unseen,
      // A method, since the transpiler would name a function with what the page has not got.
      look() {
        const focused = document.activeElement
        if (!focused || !missing.has(focused)) return
        // In a frame the control that has the focus shows it.
        const { outlineStyle, outlineWidth } = getComputedStyle(focused)
        if (focused.tagName !== 'IFRAME' && (outlineStyle === 'none' || outlineWidth === '0px'))
          unseen.push(`no focus shown: ${focused.outerHTML.slice(0, 120)}`)
        const group = focused instanceof HTMLInputElement && focused.type === 'radio' ? focused.name : undefined
        for (const one of missing) {
          if (one === focused || (group !== undefined && one.getAttribute('name') === group)) missing.delete(one)
        }
      },
    }
    document.addEventListener('focusin', watch.look)
    Object.assign(window, watch)
    return usable.length
  }, tabStops)
  // Fields such as dates have several stops; of a frame that has the focus the page is not told, so that the last ones
  // are looked at one by one.
  let left = count
  for (let presses = 0; left > 0 && presses < count * 5 + 5;) {
    const few = Math.ceil(left / 2)
    await pressTab(page, few)
    presses += few
    left = await page.evaluate(() => {
      const { missing, look } = window as unknown as Window
      look()
      return missing.size
    })
  }
  return page.evaluate(() => {
    const { missing, unseen, look } = window as unknown as Window
    document.removeEventListener('focusin', look)
    return [...[...missing].map((one) => `not reached: ${one.outerHTML.slice(0, 120)}`), ...unseen]
  })
}
