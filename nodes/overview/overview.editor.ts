/** The form of "overview". */
import { prepareAddress } from '../../lib/editor/public-address'
import { whenReady } from '../../lib/editor/ready'
import { pagePath } from '../../lib/settings/rules'
import { fields } from './overview.fields'
import { lacksUsers, prepareUsers, saveUsers } from './users.editor'

whenReady(({ createForm }) => {
  const form = createForm('overview', fields, { pagePath }, { alsoWrong: { mayAct: needsUsers } })

  RED.nodes.registerType('eid-overview', {
    ...__COMMON__(form),
    color: '#B496BC',
    inputs: 0,
    outputs: 0,
    oneditprepare() {
      form.prepare(this)
      prepareAddress({ path: $('#node-input-path') }, form.text('address.copied'))
      prepareUsers(this, form.text)
    },
    oneditsave() {
      saveUsers(this)
      form.save(this)
    },
    label() {
      return this.name || `${this._('label')}: ${String(this.path ?? fields.path.initial)}`
    },
  })
})

/** The users are no setting of the table, so another setting's check marks a node without users. */
function needsUsers(node: EditorNode): string | undefined {
  return lacksUsers(node) ? RED._('@eid-flows/node-red-eid/overview:userProblems.none') : undefined
}
