/** The form of "share create". */
import { whenReady } from '../../lib/editor/ready'
import { dateTime, shortDay } from '../../lib/rules'
import { fields } from './share-create.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('share-create', fields, { dateTime, shortDay })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-share-create', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#A3A45B',
    icon: 'share-create.svg',
    inputs: 1,
    outputs: 1,
    defaults: __DEFAULTS__(form),
    label() {
      return this.name || this._('label')
    },
    paletteLabel,
    labelStyle,
    onadd,
    oneditprepare,
    oneditsave,
    oneditresize,
  })
})
