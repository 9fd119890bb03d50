/**
 * Disabling or deleting a flow or a node with something pending: the editor says at once what will rest, and *Undo*
 * takes it back. After a deploy, the tab lists what rests, and lets it continue in another node.
 *
 * @rest
 */
import should from 'should'
import { until } from '../support/time'
import { type Desk, useEditor } from './support/desk'
import { deployFlows, loaded, patience } from '../support/node-red/editor'

const signers = [
  {
    externalSignerId: 'signer-1',
    signerInfo: { firstName: 'Kari', lastName: 'Nordmann' },
    redirectSettings: { redirectMode: 'donot_redirect' },
    signatureType: { mechanism: 'pkisignature' },
  },
]
const place = { z: 'f', client: 'c', x: 300 }
const form = { title: 'Lease', contactEmail: 'post@example.com', fileName: 'lease.txt', fileNameType: 'str' }
const wait = (id: string) => ({ ...place, id, type: 'eid-wait', name: id, y: 200, wires: [[], [], []] })
const flows = (...more: object[]) => [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client', environment: 'sandbox' },
  { ...place, id: 'in', type: 'http in', url: '/lease', method: 'post', y: 40, wires: [['create']] },
  {
    ...place,
    ...form,
    id: 'create',
    type: 'eid-create-document',
    y: 100,
    wires: [['first', 'out']],
    signers: JSON.stringify(signers),
    signersType: 'json',
    file: 'YWdyZWVk',
    fileType: 'str',
  },
  { ...place, id: 'out', type: 'http response', y: 300, wires: [] },
  ...more,
]

describe('what rests', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('is said at once with Undo, listed after a deploy, and continues in another node', async () => {
    const { red, page } = desk
    const invoke = (action: string) =>
      page.evaluate((name) => (window as unknown as Editor).RED.actions.invoke(name), action)
    const notice = page.locator('.red-ui-notification', { hasText: '1 wait' })
    await deployFlows(red, flows(wait('first')))
    await page.reload()
    await loaded(page)
    await fetch(`${red.url}/lease`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    const kept = async () => ((await (await fetch(`${red.url}/eid/sidebar/kept`)).json()) as unknown[]).length
    await until(async () => (await kept()) === 1)

    await invoke('core:disable-flow')
    await notice.getByText('There is 1 wait in this flow. It rests until you enable it again.').waitFor()
    await notice.getByRole('button', { name: 'Undo' }).click()
    const disabled = () =>
      page.evaluate(() => Boolean((window as unknown as Editor).RED.nodes.workspace('f')?.disabled))
    await until(async () => !(await disabled()), patience / 1000)

    await page.evaluate(() => {
      const { view, nodes } = (window as unknown as Editor).RED
      view.select({ nodes: [nodes.node('first')] })
    })
    await invoke('core:delete-selection')
    await notice.getByText('There was 1 wait here.').waitFor()
    await notice.getByRole('button', { name: 'Undo' }).click()
    const isThere = () => page.evaluate(() => (window as unknown as Editor).RED.nodes.node('first') !== null)
    await until(isThere, patience / 1000)

    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
    for (let count = 1; count < 7; count++) await fetch(`${red.url}/lease`, post)
    await deployFlows(red, flows(wait('second')))
    await page.reload()
    await loaded(page)
    const row = page.locator('#eid-sidebar-resting .eid-row')
    const words = row.getByText('7 waits belong to a node that is no longer in the flows.')
    // The tab may be added a moment after the palette.
    const isShown = async () => {
      await invoke('eid:show-eid-tab')
      return words.isVisible()
    }
    await until(isShown, patience / 1000)
    await row.getByText(/Lease \(Kari Nordmann\) · .* · and 2 more$/).waitFor()
    await row.getByRole('button', { name: 'Continue in this node…' }).click()
    should(await row.locator('select option').allTextContents()).deepEqual(['Choose a node', 'Leases · second'])
    await row.locator('select').selectOption('second')
    await row.getByRole('button', { name: 'Continue here' }).click()
    await row.waitFor({ state: 'detached' })
    const listed = (await (await fetch(`${red.url}/eid/sidebar/kept`)).json()) as { id: string; state: string }[]
    should(listed).containDeep([{ id: 'second', state: 'running' }])
  })

  it('is undone for all flows that a person has disabled, and is not said any more after a deploy', async () => {
    const { red, page } = desk
    const invoke = (action: string, id?: string) =>
      page.evaluate(([name = '', flow]) => (window as unknown as Editor).RED.actions.invoke(name, flow), [action, id])
    const other = [
      { id: 'g', type: 'tab', label: 'Rents' },
      { ...wait('other'), z: 'g' },
    ]
    const toBoth = (one: object) =>
      'id' in one && one.id === 'create' ? { ...one, wires: [['first', 'other', 'out']] } : one
    await deployFlows(red, flows(wait('first'), ...other).map(toBoth))
    await page.reload()
    await loaded(page)
    await fetch(`${red.url}/lease`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    const waiting = async () =>
      ((await (await fetch(`${red.url}/eid/sidebar/kept`)).json()) as { id: string; waits: number }[])
        .filter(({ id, waits }) => ['first', 'other'].includes(id) && waits > 0)
        .map(({ id }) => id)
    await until(async () => (await waiting()).length === 2)
    const disabled = () =>
      page.evaluate(() => ['f', 'g'].filter((id) => (window as unknown as Editor).RED.nodes.workspace(id)?.disabled))

    await invoke('core:disable-flow', 'f')
    await page.locator('.red-ui-notification', { hasText: 'in this flow. It rests' }).waitFor()
    await invoke('core:disable-flow', 'g')
    const notice = page.locator('.red-ui-notification', { hasText: 'There are 2 waits in these flows.' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await disabled()).length === 0, patience / 1000)

    await invoke('core:disable-flow', 'f')
    const last = page.locator('.red-ui-notification', { hasText: 'in this flow. It rests' })
    await last.waitFor()
    await invoke('core:deploy-flows')
    await last.waitFor({ state: 'detached' })
  })

  it('is not said of a node that undo takes out of a subflow, and the notice after another undo does that again', async () => {
    const { red, page } = desk
    const invoke = (action: string, id?: string) =>
      page.evaluate(([name = '', flow]) => (window as unknown as Editor).RED.actions.invoke(name, flow), [action, id])
    const select = () =>
      page.evaluate(() => {
        const { view, nodes } = (window as unknown as Editor).RED
        view.select({ nodes: [nodes.node('first')] })
      })
    const notices = page.locator('.red-ui-notification', { hasText: '1 wait' })
    await deployFlows(red, [...flows(wait('first')), { id: 'g', type: 'tab', label: 'Rents' }])
    await page.reload()
    await loaded(page)
    await fetch(`${red.url}/lease`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    const keeps = async (id: RegExp) =>
      ((await (await fetch(`${red.url}/eid/sidebar/kept`)).json()) as { id: string; waits: number }[]).some(
        (one) => id.test(one.id) && one.waits > 0,
      )
    await until(() => keeps(/^first$/))
    await select()
    await invoke('core:convert-to-subflow')
    await invoke('core:deploy-flows')
    await until(() => keeps(/-first$/))
    const row = page.locator('#eid-sidebar-waiting .eid-row', { hasText: 'Leases: Subflow 1: first' })
    // The tab may be added a moment after the palette.
    await until(async () => {
      await invoke('eid:show-eid-tab')
      return row.first().isVisible()
    }, patience / 1000)
    await invoke('core:select-none')
    await row.first().getByRole('button', { name: 'Show the node' }).click()
    await page.locator('.red-ui-flow-node-highlighted').first().waitFor()

    const said = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const { RED } = window as unknown as Editor
          const { notify } = RED
          // Other tests use this page too, so the editor gets its function back.
          RED.notify = (words, options) => {
            RED.notify = notify
            resolve(words.text())
            return notify(words, options)
          }
        }),
    )
    await Promise.all([page.waitForResponse(/sidebar\/kept/), invoke('core:undo')])
    await invoke('core:disable-flow', 'f')
    should(await said).match(/in this flow\. It rests/)
    await notices.getByRole('button', { name: 'Undo' }).click()

    const disabled = () =>
      page.evaluate(() => ['f', 'g'].filter((id) => (window as unknown as Editor).RED.nodes.workspace(id)?.disabled))
    await until(async () => (await disabled()).length === 0, patience / 1000)
    for (const [action, flow] of [
      ['disable', 'f'],
      ['disable', 'g'],
      ['enable', 'f'],
    ] as const)
      await invoke(`core:${action}-flow`, flow)
    await notices.waitFor({ state: 'detached' })
    await invoke('core:undo')
    await notices.getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await disabled()).join() === 'g', patience / 1000)
  })
})

/** The parts of the editor that the test uses. */
interface Editor {
  readonly RED: {
    notify(words: { text(): string }, options: object): unknown
    readonly actions: { invoke(action: string, flow?: string): void }
    readonly view: { select(what: { nodes: (object | null)[] }): void }
    readonly nodes: { workspace(id: string): { disabled?: boolean } | undefined; node(id: string): object | null }
  }
}
