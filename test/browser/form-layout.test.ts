/**
 * What stands where in the forms: the button for fields is beside its input, and the preview of a list shows all of its
 * columns.
 *
 * @rest
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { root } from '../support/house'
import { dragNode, openNode, type EditorPage } from '../support/node-red/editor'
import { temporaryFolder } from '../support/temporary-folder'
import { useEditor } from './support/desk'

const pictures = join(root, '.cache', 'screenshots', 'form-layout')

describe('in a form', () => {
  let page: EditorPage
  let folder: string
  let remove: () => void
  useEditor((desk) => ({ page } = desk))
  before(() => {
    mkdirSync(pictures, { recursive: true })
    ;({ path: folder, remove } = temporaryFolder())
  })
  after(() => remove?.())

  it('the button for fields is beside its input, also where a tip follows', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-document'))
    await dialog.locator('#node-input-operation').selectOption('download')
    const row = dialog.locator('[data-row="saveTo"]')
    const button = await row.locator('.eid-insert').boundingBox()
    const input = await row.locator('.red-ui-typedInput-container').boundingBox()
    await page.screenshot({ path: join(pictures, 'save-as.png') })
    if (!button || !input) throw new Error('not visible')
    should(Math.abs(button.y - input.y)).be.below(4)
    should(button.x).be.aboveOrEqual(input.x + input.width)
  })

  const people = ['T-01;Ola;Nordmann;ola.nordmann@example.com', 'T-02;Kari;Hansen;kari.hansen@example.com']
  for (const [name, more, isWide] of [
    ['few', 0, false],
    ['many', 12, true],
  ] as const) {
    it(`the preview of a list with ${name} columns cuts nothing off`, async () => {
      const numbers = Array.from({ length: more }, (_none, index) => index)
      const path = join(folder, `${name}.csv`)
      const head = ['Number;First name;Last name;E-mail', ...numbers.map((number) => `Column ${number}`)].join(';')
      const rows = people.map((person) => [person, ...numbers.map((number) => `value ${number}`)].join(';'))
      writeFileSync(path, [head, ...rows, ''].join('\r\n'))
      const dialog = await openNode(page, await dragNode(page, 'eid-batch'))
      await dialog.locator('input[type=file]').setInputFiles(path)
      const preview = dialog.locator('.eid-preview .eid-scroll')
      await preview.getByText('2 rows').waitFor()
      const { hidden, shadow } = await preview.evaluate((one) => ({
        hidden: one.scrollWidth - one.clientWidth,
        shadow: getComputedStyle(one).backgroundImage,
      }))
      await page.screenshot({ path: join(pictures, `${name}-columns.png`) })
      // What does not fit can be scrolled to, and a shadow says so where scroll bars are hidden.
      if (isWide) should(hidden).be.above(0)
      else should(hidden).equal(0)
      should(shadow).containEql('linear-gradient')
    })
  }
})
