/** The palette: the nodes in the order of the jobs, and found by the words that people search for. @rest */
import should from 'should'
import { useEditor } from './support/desk'
import { until } from '../support/time'
import type { EditorPage } from '../support/node-red/editor'

const found: readonly (readonly [search: string, types: readonly string[]])[] = [
  ['sign', ['create-document', 'document', 'wait', 'pending', 'batch', 'embed', 'events', 'webhook']],
  ['contract', ['create-document', 'document', 'wait', 'pending', 'batch', 'embed']],
  ['share', ['wait', 'batch', 'share-create', 'share-upload', 'share', 'events', 'webhook']],
  ['deposit', ['wait', 'deposit', 'deposit-cancel', 'deposit-terminate', 'events', 'webhook']],
  ['identify', ['wait', 'embed', 'identification-session']],
]

describe('the palette', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  const shown = async () => {
    const ours = page.locator('.red-ui-palette-node[data-palette-type^="eid-"]:visible')
    const types = await ours.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-palette-type') ?? ''))
    return types.map((type) => type.replace('eid-', ''))
  }

  it('shows the nodes in the order of the jobs', async () => {
    should(await shown()).deepEqual([
      'create-document',
      'document',
      'wait',
      'pending',
      'overview',
      'alerts',
      'batch',
      'embed',
      'share-create',
      'share-upload',
      'share',
      'deposit',
      'deposit-cancel',
      'deposit-terminate',
      'identification-session',
      'events',
      'webhook',
      'request',
    ])
  })

  it('finds a node by the job that it does', async () => {
    const search = page.locator('#red-ui-palette-search input')
    for (const [word, types] of found) {
      await search.fill('')
      await search.pressSequentially(word)
      // The palette also filters by the letters typed so far, such as the "id" of "identify", which all our types
      // contain.
      const filtered = async () => (await shown()).join() === types.join()
      await until(filtered).catch(async () => should(await shown()).deepEqual(types))
      await search.fill('')
      await search.press('Backspace')
      await page.locator('.red-ui-palette-node[data-palette-type="catch"]').waitFor()
    }
  })
})
