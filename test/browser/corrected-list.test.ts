/**
 * A list that is corrected, chosen again and sent again: no row is sent twice, and the form says what a new name means.
 *
 * @rest
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import {
  closeDialog,
  deploy,
  deployFlows,
  openNode,
  patience,
  settingsOf,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { useEditor } from './support/desk'

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })
const remember = `const sent = flow.get('sent') || []; flow.set('sent', [...sent, msg.payload.Unit]); return msg`
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { ...place('in', 120, 80), type: 'http in', url: '/send', method: 'post', wires: [['list', 'out']] },
  { ...place('out', 300, 140), type: 'http response', wires: [] },
  { ...place('list', 460, 80), type: 'eid-batch', key: '{Unit}', keyType: 'tpl', wires: [['send'], []] },
  { ...place('send', 620, 80), type: 'function', func: remember, outputs: 1, wires: [['list']] },
  { ...place('ask', 120, 200), type: 'http in', url: '/sent', method: 'get', wires: [['read']] },
  {
    ...place('read', 280, 200),
    type: 'function',
    func: `msg.payload = flow.get('sent') || []; return msg`,
    outputs: 1,
    wires: [['answer']],
  },
  { ...place('answer', 440, 200), type: 'http response', wires: [] },
]

describe('a corrected list', () => {
  let red: NodeRed
  let page: EditorPage
  let folder: string
  let remove: () => void
  useEditor((desk) => ({ red, page } = desk))
  before(() => {
    ;({ path: folder, remove } = temporaryFolder())
  })
  after(() => remove?.())

  /** Chooses a list with this name in the form, as from a person's own folder, deploys, and sends it. */
  const choose = async (name: string, units: readonly string[], expected: RegExp) => {
    const own = join(folder, units.join(''))
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, name), ['Unit;Rent', ...units.map((unit) => `${unit};9000`), ''].join('\r\n'))
    const dialog = await openNode(page, 'list')
    await dialog.locator('input[type=file]').setInputFiles(join(own, name))
    await dialog.locator('.eid-preview').getByText(`${units.length} rows`).waitFor()
    // The list before may have had as many rows, so its preview may still be there.
    const hints = async () => (await dialog.locator('.eid-preview .eid-warning').allTextContents()).join()
    await until(async () => expected.test(await hints()), patience / 1000)
    await page.screenshot({ path: '.cache/pictures/corrected-list.png' })
    await closeDialog(page)
    await deploy(page)
  }
  const sent = async () => (await (await fetch(`${red.url}/sent`)).json()) as string[]
  const send = async () => should((await fetch(`${red.url}/send`, { method: 'POST' })).status).equal(200)

  it('keeps its name when it is chosen again, sends only what is new, and says what another name means', async () => {
    mkdirSync('.cache/pictures', { recursive: true })
    await deployFlows(red, flows)
    await page.reload()
    await choose('list.csv', ['A', 'B'], /^$/)
    await send()
    await until(async () => (await sent()).length === 2, patience / 1000)
    await choose('list.csv', ['A', 'B', 'C'], /^$/)
    should((await settingsOf(page, 'list')).rows).match(/[\\/]2[\\/]list\.csv$/)
    await send()
    await until(async () => (await sent()).includes('C'), patience / 1000)
    should((await sent()).sort()).deepEqual(['A', 'B', 'C'])
    await choose(
      'list for May.csv',
      ['A', 'B', 'M'],
      /called list\.csv.*all others are, even those that are done in list\.csv/,
    )
    await send()
    await until(async () => (await sent()).length === 6, patience / 1000)
    should((await sent()).sort()).deepEqual(['A', 'A', 'B', 'B', 'C', 'M'])
    // The first list was sent before, so what the form says must also hold for a list whose name is not new.
    await choose('list.csv', ['A', 'B', 'D'], /called list for May\.csv.*done under its name are not sent again/)
    await send()
    await until(async () => (await sent()).includes('D'), patience / 1000)
    should((await sent()).sort()).deepEqual(['A', 'A', 'B', 'B', 'C', 'D', 'M'])
  })

  it('is read for rows that are there twice, which nothing but a row key would notice', async () => {
    await deployFlows(
      red,
      flows.map((node) => ('key' in node ? { ...node, key: '' } : node)),
    )
    await page.reload()
    const dialog = await openNode(page, 'list')
    const list = join(folder, 'twice.csv')
    writeFileSync(list, ['Unit;Rent', 'A;9000', 'B;9000', 'A;9000', ''].join('\r\n'))
    await dialog.locator('input[type=file]').setInputFiles(list)
    await dialog.locator('.eid-warning').getByText('Some rows are exactly the same.').waitFor()
    await closeDialog(page)
  })
})
