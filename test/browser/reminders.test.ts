/**
 * The reminders of "wait" in its form: the dates in words, values that cannot work, and the service's own reminders.
 *
 * @rest
 */
import should from 'should'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/house'
import { until } from '../support/time'
import { deployFlows, openNode } from '../support/node-red/editor'
import { useEditor, type Desk } from './support/desk'
import { openEditor } from '../support/node-red/editor'

describe('the reminders in the form of wait', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))
  const place = { z: 'f', y: 100 }
  const flows = (remindOn: string) => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: '', environment: 'sandbox' },
    {
      ...place,
      id: 'create',
      type: 'eid-create-document',
      name: 'the lease',
      client: 'c',
      remindOn,
      x: 200,
      wires: [['wait']],
    },
    { ...place, id: 'wait', type: 'eid-wait', client: 'c', remindAfter: '3, 7, 12', x: 500, wires: [[], [], []] },
  ]
  const inDays = (days: number, language = 'en') =>
    [{ weekday: 'long' } as const, { day: 'numeric', month: 'long' } as const]
      .map((parts) => new Intl.DateTimeFormat(language, parts).format(new Date().setHours(12) + days * 86_400_000))
      .join(' ')

  it('are shown in words, follow what is typed, and are refused with a sentence', async () => {
    await deployFlows(desk.red, flows(''))
    const page = await openEditor(desk.browser, desk.red, { height: 1000 })
    const dialog = await openNode(page, 'wait')
    const words = dialog.locator('.eid-reminders')
    await until(async () => (await words.textContent())?.includes(inDays(12)))
    should(await words.textContent()).equal(
      `A document that arrives today gets reminders on ${inDays(3)}, ${inDays(7)}, and ${inDays(12)}, at 08:00 (time zone of Node-RED).`,
    )
    mkdirSync(join(root, '.cache', 'pictures'), { recursive: true })
    await page.screenshot({ path: join(root, '.cache', 'pictures', 'reminders.png') })
    const days = dialog.locator('[data-row="remindAfter"] .red-ui-typedInput-input')
    await days.fill('12, 3')
    await dialog.locator('[data-row="remindAfter"] .eid-reason', { hasText: 'rising order' }).waitFor()
    await words.waitFor({ state: 'hidden' })
    await days.fill('1')
    await until(async () => (await words.textContent())?.includes(inDays(1)))
    // Only documents have signers who can be reminded.
    await dialog.locator('#node-input-what').selectOption('share')
    await dialog.locator('[data-row="remindAfter"]').waitFor({ state: 'hidden' })
    await words.waitFor({ state: 'hidden' })
    should(page.errors).deepEqual([])
    await page.context().close()
  })

  it('say in Norwegian that the service already reminds, if an earlier node in the flow set that up', async () => {
    await deployFlows(desk.red, flows('everyDay'))
    const page = await openEditor(desk.browser, desk.red, { language: 'nb-NO', colorScheme: 'dark', height: 1000 })
    const dialog = await openNode(page, 'wait')
    const words = dialog.locator('.eid-reminders')
    await until(async () => (await words.textContent())?.includes('Noden «the lease» foran denne lar tjenesten'))
    should(await words.textContent()).containEql(inDays(3, 'nb'))
    await page.screenshot({ path: join(root, '.cache', 'pictures', 'reminders-nb.png') })
    should(page.errors).deepEqual([])
    await page.context().close()
  })
})
