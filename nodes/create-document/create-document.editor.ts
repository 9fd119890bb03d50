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

whenReady(({ createForm }) => {
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

  RED.nodes.registerType('eid-create-document', {
    ...__COMMON__(form),
    color: '#6BAA94',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || this._('label')
    },
  })
})
