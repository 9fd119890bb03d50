/** The form of "share create". */
import { whenReady } from '../../lib/editor/ready'
import { dateTime, shortDay } from '../../lib/rules'
import { fields } from './share-create.fields'

whenReady(({ createForm, chooseClient }) => {
  const form = createForm('share-create', fields, { dateTime, shortDay })

  RED.nodes.registerType('eid-share-create', {
    category: 'eID',
    color: '#A3A45B',
    categoryDescription: form.about,
    icon: 'share-create.svg',
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
