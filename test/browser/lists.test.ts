/**
 * The rows of lists, used by keyboard alone, and problems on tabs that are not in front, in a real editor.
 *
 * @rest
 */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  dragNode,
  isMarked,
  openEditor,
  openNode,
  settingsOf,
  startNodeRed,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'

describe('a form', () => {
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  useEditor((desk) => ({ red, browser, page } = desk))

  it('can be left backwards from every field, without a change of its value', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
    await dialog.locator('[data-row="contactEmail"] .red-ui-typedInput-input').focus()
    const first = dialog.locator('[role=tab][aria-selected=true]')
    const isFirst = () => first.evaluate((one) => one === document.activeElement)
    for (let presses = 0; presses < 20 && !(await isFirst()); presses++) await page.keyboard.press('Shift+Tab')
    should(await isFirst()).be.true()
    should(await dialog.locator('[data-row="fields"] .red-ui-typedInput-input').inputValue()).equal('payload')
    await closeDialog(page)
  })

  it('can have a list filled, reordered and shortened by keyboard alone', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
    await dialog.locator('[role=tab][aria-selected=true]').focus()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: 'add signer' }).focus()
    for (const name of ['Ola', 'Kari']) {
      await page.keyboard.press('Enter')
      const row = dialog.locator('.eid-block').last()
      await row.getByRole('button', { name: /move up/ }).waitFor()
      await row.getByRole('button', { name: /move up/ }).focus()
      await tabTo(page, 'First name')
      await page.keyboard.type(name)
      await dialog.getByRole('button', { name: 'add signer' }).focus()
    }
    const names = async () => {
      const inputs = await dialog.locator('[data-cell="firstName"] .red-ui-typedInput-input').all()
      return Promise.all(inputs.map((input) => input.inputValue()))
    }
    should(await names()).deepEqual(['Ola', 'Kari'])
    await dialog.getByRole('button', { name: 'Signer 2: move up' }).focus()
    await page.keyboard.press('Enter')
    should(await names()).deepEqual(['Kari', 'Ola'])
    should(await page.locator(':focus').getAttribute('aria-label')).equal('Signer 1: move up')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    should(await names()).deepEqual(['Ola', 'Kari'])
    await dialog.getByRole('button', { name: 'Signer 1: remove' }).focus()
    await page.keyboard.press('Enter')
    await dialog.locator('.eid-block').nth(1).waitFor({ state: 'detached' })
    should(await names()).deepEqual(['Kari'])
    should(await page.locator(':focus').innerText()).match(/add signer/)
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
    const { signersRows } = (await settingsOf(page, id)) as { signersRows: object[] }
    should(signersRows).have.length(1)
    should(signersRows[0]).have.property('firstName', 'Kari')
  })

  it('lets the keyboard reach every control in the row of a signer, visible and with its focus shown', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
    await dialog.locator('[role=tab][aria-selected=true]').focus()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: 'add signer' }).focus()
    await page.keyboard.press('Enter')
    const row = dialog.locator('.red-ui-editableList-container li').last()
    // Also opens the folded part of the row.
    for (const summary of await row.locator('summary').all()) {
      await summary.focus()
      await page.keyboard.press('Enter')
    }
    await row.getByRole('button', { name: /move up/ }).focus()
    const controls = () =>
      row.evaluate((item) => {
        const controls = item.querySelectorAll<HTMLElement>('a[href], button, input, select, summary, [tabindex]')
        const usable = Array.from(controls).filter(
          (one) => one.checkVisibility() && one.tabIndex >= 0 && !one.matches(':disabled, [type=hidden]'),
        )
        return usable.map((one) => one.outerHTML.slice(0, 150))
      })
    const expected = await controls()
    should(expected.length).be.above(40)
    const seen: string[] = []
    const unclear: object[] = []
    for (let presses = 0; presses < 200; presses++) {
      const now = await row.evaluate((item) => {
        const focused = document.activeElement as HTMLElement
        if (!item.contains(focused)) return undefined
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused)
        const isOutlined = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
        const marked = Array.from(item.querySelectorAll('.red-ui-typedInput-focus'))
        const { top, bottom } = focused.getBoundingClientRect()
        return {
          html: focused.outerHTML.slice(0, 150),
          isShown: isOutlined || marked.some((one) => one.contains(focused)),
          isOnlyOne: marked.every((one) => one.contains(focused)),
          isInSight: top >= 0 && bottom <= innerHeight,
        }
      })
      if (!now) break
      seen.push(now.html)
      const { html, ...findings } = now
      if (Object.values(findings).includes(false)) unclear.push({ ...findings, html })
      await page.keyboard.press('Tab')
    }
    should(expected.filter((one) => !seen.includes(one))).deepEqual([])
    should(unclear).deepEqual([])
  })

  it('shows order and language of a signer without unfolding anything', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-create-document'))
    await page.locator('#eid-tab-signers').click()
    await dialog.getByRole('button', { name: 'add signer' }).click()
    for (const cell of ['order', 'language']) await dialog.locator(`[data-cell="${cell}"]`).waitFor()
    should(await dialog.locator('[data-cell="required"]').isVisible()).be.false()
  })

  for (const [language, meaning] of [
    ['en-US', 'This tab contains an invalid value'],
    ['nb-NO', 'Denne fanen har en ugyldig verdi'],
  ] as const) {
    it(`marks a tab that hides a problem, while typing and when it opens again (${language})`, async () => {
      const editor = await openEditor(browser, red, { language })
      const id = await dragNode(editor, 'eid-create-document')
      const dialog = await openNode(editor, id)
      const sign = dialog.locator('#eid-tab-look').getByRole('img', { name: meaning })
      const input = dialog.locator('[data-row="backgroundColor"] .red-ui-typedInput-input')
      should(await sign.count()).equal(0)
      await tab(editor, 'look')
      await input.fill('Bluish')
      await tab(editor, 'document')
      await sign.waitFor()
      // The request now comes from the form, so the form lacks required settings.
      should(await dialog.locator('.eid-tab-mark').count()).equal(3)
      should(await accessibilityFindings(editor, '.red-ui-tray .eid-form')).deepEqual([])
      await closeDialog(editor)
      await openNode(editor, id)
      await sign.waitFor()
      await tab(editor, 'look')
      await input.fill('navy')
      await sign.waitFor({ state: 'detached' })
      await editor.context().close()
    })
  }

  it('accepts a node whose flow file lacks settings, and a number of days', async () => {
    const place = { z: 'f', client: 'c', x: 200, wires: [] }
    const share = Object.fromEntries(
      ['title', 'description', 'content', 'recipients'].flatMap((name) => [
        [name, name],
        [`${name}Type`, 'msg'],
      ]),
    )
    const flows = [
      { id: 'f', type: 'tab' },
      { id: 'c', type: 'eid-client' },
      { ...place, id: 'lacking', type: 'eid-document', operation: 'status', y: 100 },
      { ...place, id: 'waiting', type: 'eid-wait', y: 300 },
      { ...place, id: 'embedding', type: 'eid-embed', y: 600 },
      { ...place, id: 'receiving', type: 'eid-webhook', y: 700 },
      { ...place, id: 'nothing', type: 'eid-document', y: 400 },
      { ...place, id: 'identifying', type: 'eid-identification-session', y: 500 },
      { ...place, ...share, id: 'days', type: 'eid-share-create', expires: '30', expiresType: 'days', y: 200 },
    ]
    const other = await startNodeRed({ flows })
    const editor = await openEditor(browser, other)
    for (const id of ['lacking', 'days']) {
      await editor.locator(`[id="${id}"]`).waitFor()
      should(await isMarked(editor, id)).be.false()
    }
    const labelOf = (id: string) => editor.locator(`[id="${id}"] .red-ui-flow-node-label`).textContent()
    should(await labelOf('nothing')).equal('document: get')
    should(await labelOf('waiting')).equal('wait: document signed')
    should(await labelOf('embedding')).equal('embed: /eid/page')
    should(await labelOf('receiving')).equal('webhook: /eid/webhook')
    should(await labelOf('identifying')).equal('identify: create')
    await editor.context().close()
    await other.stop()
  })
})

async function tab(page: Page, name: string): Promise<void> {
  await page.locator(`#eid-tab-${name}`).click()
}

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab')
    if ((await page.locator(':focus').getAttribute('aria-label')) === name) return
  }
  throw new Error(`Tab does not reach "${name}"`)
}
