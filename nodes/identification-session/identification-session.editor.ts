/** The form of "identification session". */
import type { AlsoWrong } from '../../lib/editor/form'
import { whenReady } from '../../lib/editor/ready'
import { day, origin, url, whole, year } from '../../lib/settings/rules'
import { absentKey, isFromForm } from '../../lib/settings/validation'
import { fields } from './identification-session.fields'

whenReady(({ createForm }) => {
  const form = createForm(
    'identification-session',
    fields,
    { day, origin, url, whole, year },
    {
      alsoWrong: {
        parentDomains: unframed('parentDomains'),
        postMessageTargetOrigin: unframed('postMessageTargetOrigin'),
      },
    },
  )

  /**
   * Checks a setting that is needed for a frame. If the setting is empty, an "embed" node of the same client must
   * provide the value; without such a node, the setting is missing.
   */
  function unframed(name: 'parentDomains' | 'postMessageTargetOrigin'): AlsoWrong {
    return (_node, _value, read) => {
      const said = (setting: string) => String(read(setting).value ?? '')
      const isGiven = said(name).trim() !== '' || (read(name).type ?? 'str') !== 'str' || !isFromForm(read)
      const isOlder = said('apiVersion') === 'v1'
      // With v1, only the domain is needed, and "embed" does not provide it.
      const isKnown = isOlder ? name !== 'parentDomains' : isShown(said('client'))
      if (isGiven || isKnown || said('flow') !== 'iframe' || (read('flow').type ?? 'str') !== 'str') return undefined
      const sentence = RED._(`@eid-flows/node-red-eid/client:problems.${absentKey(fields[name])}`)
      return sentence.replace('__path__', form.text(`fields.${name}`))
    }
  }

  function isShown(client: string): boolean {
    let isThere = false
    RED.nodes.eachNode((one) => {
      isThere ||= one.type === 'eid-embed' && one.client === client && one.d !== true
    })
    return isThere
  }

  RED.nodes.registerType('eid-identification-session', {
    ...__COMMON__(form),
    color: '#80A4C0',
    inputs: 1,
    outputs: 1,
    label() {
      return this.name || `${this._('label')}: ${form.choice(this, 'operation')}`
    },
  })
})
