/** The form of "create document". */
import { whenReady } from '../../lib/editor/ready'
import { colour, dateTime, domains, themeMode, url } from '../../lib/rules'
import { fields } from './create-document.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('create-document', fields, { colour, dateTime, domains, themeMode, url })

  RED.nodes.registerType('eid-create-document', {
    category: 'eID',
    color: '#6BAA94',
    categoryDescription: form.about,
    icon: 'create-document.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    paletteLabel() {
      return this._('label')
    },
    label() {
      return this.name || this._('label')
    },
    labelStyle() {
      return this.name ? 'node_label_italic' : ''
    },
    onadd() {
      chooseClient(this)
    },
    oneditprepare() {
      form.prepare(this)
    },
    oneditsave() {
      form.save(this)
    },
    oneditresize(size) {
      form.resize(size)
    },
  })
})
