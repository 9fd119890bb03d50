/**
 * README's first contract, followed word for word by a reader who knows nothing else; counts clicks and typed texts.
 *
 * @rest
 */
import should from 'should'
import type { Locator, Page } from 'playwright-core'
import { read } from '../support/house'
import { until } from '../support/time'
import { useEditor } from './support/desk'
import { dragNode, openNode, type EditorPage, type NodeRed } from '../support/node-red/editor'
import { openLink } from './support/sidebar'
import { drawWire } from './support/wire'

/** The text of one section, without pictures and line breaks. */
function section(title: string): string {
  const [, text = ''] = read('README.md').split(`## ${title}\n`)
  const [own = ''] = text.split('\n## ')
  return own.replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\s+/g, ' ')
}

const [readyMade = '', ...steps] = section('Your first contract').split(/ (?=\d\. )/)
const [example = ''] = readyMade.split(' Building it yourself')
/** The last step, up to what it says about the sandbox. */
const last = () => (steps[4] ?? '').split(' **Nothing in the sandbox')[0] ?? ''

describe('the first contract of the README', () => {
  let red: NodeRed
  let page: EditorPage
  let acts = 0
  let ids: Record<string, string> = {}
  // Registered before `useEditor`, whose own hook closes the page of a failed test.
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await page.screenshot({ path: '.cache/first-flow-failed.png' })
  })
  useEditor((opened) => {
    page = opened.page
    red = opened.red
    acts = 0
    ids = {}
  })

  type Act = (...words: string[]) => Promise<unknown>

  /** What a reader does for each phrase. */
  const reading: readonly (readonly [RegExp, Act])[] = [
    [/Ctrl-I \(⌘-I on a Mac\)/, () => page.keyboard.press('Control+i')],
    [/\*Examples\*/, () => click(importing().locator('.red-ui-tab', { hasText: 'Examples' }))],
    [/\*(@eid-flows\/node-red-eid)\*/, (name) => click(importing().getByText(name))],
    [/\*(1 Contracts)\*/, (name) => click(importing().getByText(name))],
    [/double-click \*(1 My first contract)\*/, (name) => bringIn(name)],
    [
      /tab \*(My first contract)\*/,
      (name) => click(page.locator('#red-ui-workspace-tabs .red-ui-tab', { hasText: name })),
    ],
    [
      /Drag \*\*(\w+)\*\* and \*\*(\w+)\*\* onto the canvas, [^.]*wire them/,
      (from, to) => pair(from, to, 100, 620, 120),
    ],
    [/Drag \*\*(\w+)\*\* and \*\*(\w+)\*\* below, and wire them/, (from, to) => pair(from, to, 200, 460, 280)],
    [/Wire the top output of \*\*(\w+)\*\* to \*\*(\w+)\*\*/, (from, to) => wire(from, to)],
    [
      /Drag \*\*([^*]+)\*\* onto the wire, and drop it when the wire turns dashed/,
      (label) => drop(label, 340, 120, true),
    ],
    [/Double-click \*\*([^*]+)\*\*/, (label) => open(label)],
    [/\*([^*]+)\*:? `([^`]+)`/, (label, value) => fill(label, value)],
    [/\*File\*: drop a PDF of yours onto the form, or press the button below the field/, () => dropFile()],
    [/the \*(Signers)\* tab/, (name) => click(dialog().getByRole('tab', { name }))],
    [/press \*(add signer)\*/, (name) => click(dialog().getByRole('button', { name }))],
    [/choose \*(download)\*/, (label) => choose(label)],
    [/tick \*(Wait until ready)\*/, (name) => click(dialog().getByRole('checkbox', { name }))],
    [/\*Done\*/, () => done()],
    [/\*Deploy\*/, () => deployed()],
    [/the button on \*\*(\w+)\*\*/, (label) => start(label)],
    [
      /the small arrow at the right edge of the window, below the menu,\s+and\s+choose\s+\*(eID)\*/,
      (name) => sidebar(name),
    ],
    [/\*Open the link\*(, and|\.) [Pp]ress \*Sign\* on the page|open the link and sign/, () => sign()],
    [/To see it, press \*(Open the file)\* under \*Done\* in the \*eID\* tab/, (name) => openFile(name)],
    [/\*\*wait\*\* shows \*signed\*/, () => canvas().getByText('signed', { exact: true }).waitFor()],
    [/the debug tab of the sidebar shows the signed file/, () => signedFile()],
  ]

  /** Does what the text says, phrase by phrase. Fails if something in bold or italics can't be done. */
  async function follow(text: string): Promise<void> {
    let rest = text
    for (;;) {
      const found = reading
        .flatMap(([phrase, act]) => {
          const match = phrase.exec(rest)
          return match ? [{ match, act }] : []
        })
        .sort((one, other) => one.match.index - other.match.index)[0]
      should(rest.slice(0, found?.match.index)).not.match(/\*/)
      if (!found) return
      await found.act(...found.match.slice(1))
      rest = rest.slice(found.match.index + found.match[0].length)
    }
  }

  const canvas = () => page.locator('#red-ui-workspace-chart')
  const dialog = () => page.locator('.red-ui-tray').last()
  const importing = () => page.locator('.ui-dialog', { has: page.locator('#red-ui-clipboard-dialog') })

  async function click(what: Locator): Promise<void> {
    acts++
    await what.click()
  }

  async function bringIn(name: string): Promise<void> {
    acts++
    await importing().getByText(name, { exact: true }).dblclick()
    await importing().waitFor({ state: 'hidden' })
  }

  async function pair(from: string, to: string, x: number, toX: number, y: number): Promise<void> {
    await drop(from, x, y)
    await drop(to, toX, y)
    await wire(from, to)
  }

  async function drop(label: string, x: number, y: number, onWire = false): Promise<void> {
    acts++
    const type = await page.locator('.red-ui-palette-node').evaluateAll((nodes, wanted) => {
      const named = nodes.find((one) => one.textContent?.replace(/\s+/g, ' ').trim() === wanted)
      return named?.getAttribute('data-palette-type') ?? undefined
    }, label)
    ids[label] = await dragNode(page, type ?? label, x, y, onWire)
  }

  async function wire(from: string, to: string): Promise<void> {
    acts++
    await drawWire(page, ids[from] ?? from, ids[to] ?? to)
  }

  async function open(label: string): Promise<void> {
    acts++
    await openNode(page, ids[label] ?? '')
  }

  async function fill(label: string, value: string): Promise<void> {
    const named = page.locator('label', { hasText: new RegExp(`^\\s*${label}\\s*\\*?\\s*$`) })
    const input = dialog()
      .locator('.form-row:visible, .eid-cell:visible', { has: named })
      .last()
      .locator('input:visible')
      .first()
    if (!(await input.evaluate((one) => one === document.activeElement))) await click(input)
    await page.keyboard.type(value)
  }

  async function dropFile(): Promise<void> {
    acts++
    const form = dialog().locator('.eid-form')
    await form.evaluate((target) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['%PDF-1.4 A contract'], 'rental-agreement.pdf'))
      for (const type of ['dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      }
    })
    await form.getByText(/rental-agreement.* is now on the server\./).waitFor()
  }

  /** Counts as two actions: one opens the list, the other one chooses. */
  async function choose(label: string): Promise<void> {
    acts += 2
    await dialog().locator('#node-input-operation').selectOption({ label })
  }

  async function done(): Promise<void> {
    await click(dialog().locator('#node-dialog-ok'))
    await page.locator('.red-ui-tray').waitFor({ state: 'detached' })
  }

  async function deployed(): Promise<void> {
    const since = red.output().length
    await click(page.locator('#red-ui-header-button-deploy:not(.disabled)'))
    // Until the flows have started, Node-RED does not know the buttons.
    await until(() => /Started (modified )?(flows|nodes)/.test(red.output().slice(since)))
    // Nothing can be pressed until the editor has finished.
    await page.locator('#red-ui-editor-shade').waitFor({ state: 'hidden' })
    await page.locator('.red-ui-notification', { hasText: 'Successfully deployed' }).last().waitFor()
  }

  async function start(label: string): Promise<void> {
    const node = ids[label]
      ? page.locator(`[id="${ids[label]}"]`)
      : canvas().locator('.red-ui-flow-node-group', { hasText: label })
    // Uses only the mouse position, because a click on the element would scroll the canvas.
    const box = await node.locator('.red-ui-flow-node-button-button').boundingBox()
    if (!box) throw new Error(`${label} has no button`)
    acts++
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await canvas().getByText('waiting for Ola').waitFor()
  }

  async function sidebar(name: string): Promise<void> {
    // Until the tab has its answer, it shows what it showed before, perhaps the contract of the previous test.
    const told = page.waitForResponse((one) => {
      const { pathname, searchParams } = new URL(one.url())
      // A closed tab only requests its count.
      return pathname === '/eid/sidebar' && searchParams.get('rows') !== '0'
    })
    await click(page.locator('#red-ui-sidebar .red-ui-tab-link-buttons .fa-caret-down'))
    await click(page.locator('.red-ui-menu-dropdown:visible').getByText(name, { exact: true }))
    await told
  }

  async function sign(): Promise<void> {
    acts++
    const app = await openLink(page)
    await click(app.getByRole('button', { name: 'Sign', exact: true }))
    await app.getByText('Signed.').waitFor()
    await app.close()
  }

  async function signedFile(): Promise<void> {
    await click(page.locator('#red-ui-sidebar a[title="Debug messages"], #red-ui-tab-debug-link-button').first())
    await page.locator('.red-ui-debug-msg', { hasText: 'buffer[' }).first().waitFor()
  }

  async function openFile(name: string): Promise<void> {
    const opened: Promise<Page> = page.context().waitForEvent('page')
    await click(page.getByRole('button', { name: new RegExp(`^${name}`) }).first())
    await (await opened).close()
  }

  const said = () => console.log(`        ${acts} clicks and drags (a double-click is one)`)

  it('takes at most twenty clicks and drags from the empty canvas to "signed", and some more to the signed file', async () => {
    should(steps).have.length(5)
    await follow(steps.slice(0, 4).join(' '))
    said()
    should(acts).be.belowOrEqual(20)
    const toSigned = acts
    await follow(last())
    said()
    should(acts - toSigned).be.belowOrEqual(15)
    should(readyMade).match(/about twenty clicks until the contract is signed, and fifteen more/)
  })

  it('takes at most eleven to the signature with the example, and one more to the signed file', async () => {
    const [signing = '', fetching = ''] = (example.split(' If Node-RED says')[0] ?? '').split(' The signed PDF')
    await follow(signing)
    said()
    should(acts).be.belowOrEqual(11)
    await follow(fetching)
  })
})
