/** The form of "create document". */
import { whenReady } from '../../lib/editor/ready'
import {
  channel,
  colour,
  countryCode,
  dateTime,
  documentName,
  domains,
  email,
  phone,
  themeMode,
  url,
  whole,
} from '../../lib/rules'
import { fields } from './create-document.fields'

whenReady(({ createForm, alike }) => {
  const form = createForm('create-document', fields, {
    channel,
    colour,
    countryCode,
    dateTime,
    documentName,
    domains,
    email,
    phone,
    themeMode,
    url,
    whole,
  })
  const { paletteLabel, labelStyle, onadd, oneditprepare, oneditsave, oneditresize } = alike(form)

  RED.nodes.registerType('eid-create-document', {
    category: 'eID',
    categoryDescription: form.about,
    color: '#6BAA94',
    icon: 'create-document.svg',
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
