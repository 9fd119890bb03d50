/** What every node of the palette has in common in the editor: its names, and how its form opens, closes and grows. */
import type { Fields } from '../settings/fields'
import { chooseClient } from './clients'
import { createForm, type Form, type FormOptions, type FormRules } from './form'

type CommonDefinition = Pick<
  NodeDefinition,
  'paletteLabel' | 'labelStyle' | 'onpaletteadd' | 'onadd' | 'oneditprepare' | 'oneditsave' | 'oneditresize'
>

/** The form of a node of the palette, with what does not depend on the node. */
export interface NodeForm extends Form {
  readonly common: CommonDefinition
}

/**
 * As `createForm`; the build puts the parts of `common` into the node's definition one by one, because tools read it
 * without running it.
 */
export function createNodeForm<const F extends Fields>(
  set: string,
  table: F,
  rules: FormRules<F>,
  options?: FormOptions,
): NodeForm {
  const form = createForm(set, table, rules, options)
  return { ...form, common: commonDefinition(form) }
}

function commonDefinition(form: Form): CommonDefinition {
  return {
    paletteLabel() {
      return this._('label')
    },
    labelStyle() {
      return this.name ? 'node_label_italic' : ''
    },
    onpaletteadd() {
      // The filter of the palette looks here: people search for the job, and the name of a node does not always tell it.
      const words = `${this._('label')} ${this._('search')}`
      $(`.red-ui-palette-node[data-palette-type="${this.type}"]`).attr('data-palette-label', words)
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
