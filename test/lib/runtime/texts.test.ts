/** Sentences in Node-RED's language, filled in by Node-RED's own library. */
import { createInstance } from 'i18next'
import should from 'should'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { createTranslate } from '../../../lib/runtime/node-red/texts'
import catalog from '../../../locales/en-US/alerts.json'

describe('a sentence', () => {
  it('keeps a title as it is, even if it looks like a placeholder or a reference', async () => {
    const library = createInstance()
    // The settings of Node-RED.
    const interpolation = { unescapeSuffix: 'HTML', escapeValue: false, prefix: '__', suffix: '__' }
    const name = '@eid-flows/node-red-eid/alerts'
    await library.init({
      lng: 'en-US',
      ns: [name],
      defaultNS: name,
      interpolation,
      resources: { 'en-US': { [name]: catalog } },
    })
    const RED = { _: (key: string, params: object) => library.t(key, { ...params }) } as unknown as Runtime
    const translate = createTranslate(RED, 'alerts', {})
    for (const title of ['Lease __since__', 'Lease $t(untitled)', 'Lease __title__']) {
      should(translate('sentences.canceled', { title, since: 'Monday' })).equal(`"${title}" was canceled on Monday.`)
    }
  })
})
