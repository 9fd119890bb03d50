/** The form of "create document". */
import { whenReady } from '../../lib/editor/ready'
import {
  channel,
  colour,
  countryCode,
  documentName,
  domains,
  email,
  emails,
  ownId,
  pattern,
  phone,
  themeMode,
  url,
  whole,
} from '../../lib/settings/rules'
import { fields } from './create-document.fields'
import { showLongDeadline } from './long-deadline.editor'
import { untold } from './untold.editor'
import { previewedRow, showWordFields } from './word-fields.editor'

whenReady(({ createForm, showMissingColumns }) => {
  const rules = {
    channel,
    colour,
    countryCode,
    documentName,
    domains,
    email,
    emails,
    ownId,
    pattern,
    phone,
    themeMode,
    url,
    whole,
  }
  const form = createForm('create-document', fields, rules, {
    doubtOf: untold,
    sendTest: { parts: ['email'], standIn: previewedRow },
    ready(parts) {
      showWordFields(parts)
      showMissingColumns(parts)
      showLongDeadline(parts)
    },
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
