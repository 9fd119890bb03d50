/** What every node of the palette does alike in the editor: its names, and how its form opens, closes and grows. */
import { chooseClient } from './clients'
import type { Form } from './form'

type Alike = Pick<
  NodeDefinition,
  'paletteLabel' | 'labelStyle' | 'onadd' | 'oneditprepare' | 'oneditsave' | 'oneditresize'
>

/** The parts of a node's definition that do not depend on the node. A definition names them one by one: tools read it as it stands. */
export function alike(form: Form): Alike {
  return {
    paletteLabel() {
      return this._('label')
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
  }
}
