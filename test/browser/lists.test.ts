/**
 * The controls of a form that are more than one field, in a real editor: rows of lists by keyboard alone, tabs, values
 * that are chosen by their labels, and the button that sends a test.
 *
 * @rest
 */
import should from 'should'
import type { Page } from 'playwright-core'
import { useEditor } from './support/desk'
import { openForm } from './support/walked-form'
import {
  type EditorPage,
  type NodeRed,
  accessibilityFindings,
  closeDialog,
  dragNode,
  isMarked,
  settingsOf,
  showFlows,
} from '../support/node-red/editor'
import { until } from '../support/time'

describe('a form', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  it('can be left backwards from every field, without a change of its value', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openForm(page, id)
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
    const dialog = await openForm(page, id)
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
    const dialog = await openForm(page, id)
    await dialog.locator('[role=tab][aria-selected=true]').focus()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: 'add signer' }).focus()
    await page.keyboard.press('Enter')
    const row = dialog.locator('.red-ui-editableList-container li').last()
    // A new row shows four things; the rest is folded.
    const visible = row.locator('[data-cell]:visible')
    await visible.first().waitFor()
    const names = await visible.evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset.cell))
    should(names).deepEqual(['firstName', 'lastName', 'email', 'notification'])
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

  it('marks a tab that hides a problem, while typing and when it opens again', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openForm(page, id)
    const sign = dialog.locator('#eid-tab-look').getByRole('img', { name: 'This tab contains an invalid value' })
    const input = dialog.locator('[data-row="backgroundColor"] .red-ui-typedInput-input')
    should(await sign.count()).equal(0)
    await tab(page, 'look')
    await input.fill('Bluish')
    await tab(page, 'document')
    await sign.waitFor()
    // The request now comes from the form, so the form lacks required settings.
    should(await dialog.locator('.eid-tab-mark').count()).equal(3)
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
    await openForm(page, id)
    await sign.waitFor()
    await tab(page, 'look')
    await input.fill('navy')
    await sign.waitFor({ state: 'detached' })
  })

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
    await showFlows(page, red, flows)
    for (const id of ['lacking', 'days']) {
      await page.locator(`[id="${id}"]`).waitFor()
      should(await isMarked(page, id)).be.false()
    }
    const labelOf = (id: string) => page.locator(`[id="${id}"] .red-ui-flow-node-label`).textContent()
    should(await labelOf('nothing')).equal('document: get')
    should(await labelOf('waiting')).equal('wait: document signed')
    should(await labelOf('embedding')).equal('embed: /eid/page')
    should(await labelOf('receiving')).equal('webhook: /eid/webhook')
    should(await labelOf('identifying')).equal('identify: create')
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

describe('the choices that a form offers', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  it('show known values in words, and accept any other value', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openForm(page, id)
    await page.locator('#eid-tab-look').click()
    const row = dialog.locator('[data-row="spinner"]')
    const text = row.locator('.red-ui-typedInput-input')
    should(await text.isVisible()).be.false()
    should(await dialog.locator('[data-row="backgroundColor"] input[placeholder="#123456"]').isVisible()).be.true()
    await row.locator('select').selectOption({ label: 'cubes' })
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({ spinner: 'Cubes', spinnerType: 'str' })
    await openForm(page, id)
    await page.locator('#eid-tab-look').click()
    should(await row.locator('select').inputValue()).equal('Cubes')
    await row.locator('select').selectOption({ label: 'other …' })
    await page.keyboard.type('Somersault')
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('spinner', 'Somersault')
    await openForm(page, id)
    await page.locator('#eid-tab-look').click()
    should(await text.inputValue()).equal('Somersault')
    await row.locator('.red-ui-typedInput-type-select').click()
    await page.locator('.red-ui-typedInput-options:visible').getByText('msg.', { exact: true }).click()
    should(await row.locator('select').isVisible()).be.false()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('spinnerType', 'msg')
  })

  it('include the known calls of request, with the method of the one that is chosen', async () => {
    const id = await dragNode(page, 'eid-request', 300, 200)
    const dialog = await openForm(page, id)
    const path = dialog.locator('.form-row[data-row="path"] .red-ui-typedInput-input')
    await path.click()
    await path.pressSequentially('resend', { delay: 30 })
    const offered = page.locator(
      '.red-ui-autoComplete-container .red-ui-menu-label:visible, .red-ui-autoComplete-container a:visible',
    )
    await offered.first().click()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({
      method: 'POST',
      path: '/share/buckets/{shareId}/resendNotificationToRecipient/{recipientId}',
    })
  })

  it('allow several ticks, and other values typed beside them', async () => {
    const id = await dragNode(page, 'eid-identification-session')
    const dialog = await openForm(page, id)
    // The ticks do not make the dialog wider than others.
    should((await dialog.boundingBox())?.width).be.below(620)
    const row = dialog.locator('[data-row="allowedProviders"]')
    await row.getByRole('checkbox', { name: 'Norwegian eID', exact: true }).check()
    await row.getByRole('checkbox', { name: 'Swedish eID' }).check()
    await row.getByRole('checkbox', { name: 'other …' }).check()
    await page.keyboard.press('End')
    await page.keyboard.type(', new_eid')
    await row.getByRole('checkbox', { name: 'Norwegian eID', exact: true }).uncheck()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('allowedProviders', 'se_eid, new_eid')
    await openForm(page, id)
    should(await row.getByRole('checkbox', { name: 'Swedish eID' }).isChecked()).be.true()
    should(await row.locator('.red-ui-typedInput-input').inputValue()).equal('se_eid, new_eid')
    await row.getByRole('checkbox', { name: 'other …' }).uncheck()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('allowedProviders', 'se_eid')
  })

  it('keep their ticks in one order, whatever order the answer of the service has', async () => {
    const answered = { yet: false }
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/eid/suggestions/**', async (route) => {
      await held
      await route.fulfill({ json: ['new_eid', 'sms_otp', 'se_eid', 'no_eid', 'no_eid_mobile'] })
      answered.yet = true
    })
    try {
      const id = await dragNode(page, 'eid-identification-session')
      const ticks = async () => {
        const dialog = await openForm(page, id)
        const row = dialog.locator('[data-row="allowedProviders"]')
        await row.getByRole('checkbox', { name: 'Norwegian eID', exact: true }).focus()
        const values = await row
          .getByRole('checkbox')
          .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
        return { row, values }
      }
      const { row, values: before } = await ticks()
      should(answered.yet).be.false()
      release()
      await until(() => answered.yet)
      await row.getByRole('checkbox', { name: 'Swedish eID' }).check()
      await closeDialog(page)
      const after = await until(async () => {
        const { values } = await ticks()
        if (values.includes('new_eid')) return values
        return void (await closeDialog(page))
      })
      should(before.length).be.above(4)
      should(after).deepEqual([...before.slice(0, -1), 'new_eid', ...before.slice(-1)])
      await closeDialog(page)
    } finally {
      await page.unroute('**/eid/suggestions/**')
    }
  })
})

describe('a test sent from a form', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  it('goes out before Deploy, once for a double click, and its link opens', async () => {
    const dialog = await openForm(page, await dragNode(page, 'eid-create-document'))
    await dialog.locator('[data-row="title"] .red-ui-typedInput-input').fill('Lease')
    await dialog.locator('.eid-send-test summary').click()
    await dialog.getByLabel("Recipient's e-mail").fill('ola.nordmann@example.com')
    const asked: string[] = []
    page.on('request', (one) => void (one.url().endsWith('/eid/send-test') && asked.push(one.url())))
    await dialog.getByRole('button', { name: 'Send a test' }).dblclick()
    await dialog.locator('.eid-answer').getByText("Created in the sandbox: 'Lease (test)'").waitFor()
    should(asked).have.length(1)
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    const [app] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Open it as the recipient' }).click(),
    ])
    await app.getByText('Lease (test)').first().waitFor()
    await app.close()
    await dialog.getByLabel("Recipient's e-mail").fill('ola')
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await dialog.locator('.eid-answer').getByText('must be one e-mail address').waitFor()
    should(await dialog.getByRole('link', { name: 'Open it' }).isVisible()).be.false()
  })

  it('asks before it sends anything real', async () => {
    const id = await dragNode(page, 'eid-create-document')
    await page.evaluate((node) => {
      const { RED } = window as unknown as { RED: { nodes: { node(id: string): Record<string, unknown> } } }
      const client = RED.nodes.node(String(RED.nodes.node(node).client))
      Object.assign(client, { environment: 'live', baseUrl: 'https://api.example.com' })
    }, id)
    const dialog = await openForm(page, id)
    await dialog.locator('.eid-send-test summary').click()
    await dialog.getByLabel("Recipient's e-mail").fill('ola.nordmann@example.com')
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await dialog.locator('.eid-answer').getByText('This client uses the live service').waitFor()
    await dialog.getByRole('button', { name: 'Yes, send it for real' }).waitFor()
    await dialog.getByLabel("Recipient's e-mail").fill('kari.nordmann@example.com')
    await dialog.getByRole('button', { name: 'Send a test' }).waitFor()
  })
})
