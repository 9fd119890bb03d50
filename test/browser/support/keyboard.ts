/** Uses pages with the keyboard alone. */
import type { Locator, Page } from 'playwright-core'

/** The elements that Tab can reach. */
const tabStops = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]'

/** Presses Tab until this control has the focus; rejects if it never gets the focus. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  let presses = 0
  while (presses < 400) {
    const stops = await control.evaluate(stopsBefore, tabStops)
    if (stops === 0) return
    // The number of stops is a guess, because some controls have several stops or none. Half as many presses never move
    // the focus past the control.
    const few = Math.ceil(stops / 2)
    await pressTab(page, few)
    presses += few
  }
  throw new Error(`Tab never leads to ${String(control)}`)
}

/**
 * Runs in the page: how many presses of Tab lead from the focused control to `control`; 1 if `control` comes before the
 * focused control.
 */
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

/** Presses Tab this many times without checking the page in between. */
async function pressTab(page: Page, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')))
}

/** Moves to a button or link with Tab and presses Enter. */
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
 * What can't be done by keyboard, in words: controls that Tab never reaches, and controls that do not show the focus.
 * One radio button of a group is enough, because the arrow keys lead to the other buttons.
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
      // A method, because the transpiler wraps functions in a helper that does not exist in the page.
      look() {
        const focused = document.activeElement
        if (!focused || !missing.has(focused)) return
        // A frame need not show the focus: the focused control inside the frame does.
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
  // Fields such as dates have several stops, and a frame does not report its focus, so the last controls are checked
  // one by one.
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
