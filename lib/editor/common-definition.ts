/**
 * The part that all nodes of the palette share in the editor: their names, and how their forms open, close and resize.
 */
import type { Fields } from '../settings/fields'
import { checkClient, chooseClient, showAdvice, type AdviseOnClient } from './clients'
import { createForm, type Form, type FormOptions, type FormRules } from './form'
import type { FormParts } from './form-context'

type CommonDefinition = Pick<
  NodeDefinition,
  'paletteLabel' | 'labelStyle' | 'onpaletteadd' | 'onadd' | 'oneditprepare' | 'oneditsave' | 'oneditresize'
>

/** The form of a palette node, with the parts that are the same for every node. */
export interface NodeForm extends Form {
  readonly common: CommonDefinition
}

export type CreateNodeForm = <const F extends Fields>(
  set: string,
  table: F,
  rules: FormRules<F>,
  options?: FormOptions,
) => NodeForm

/**
 * Like `createForm`, but the form also has `common` and says what `advise` finds. The build inserts the parts of
 * `common` into the node's definition one by one, because some tools read the definition without running it.
 */
export function nodeForms(advise: AdviseOnClient): CreateNodeForm {
  return (set, table, rules, options) => {
    const ready = (parts: FormParts) => {
      options?.ready?.(parts)
      showAdvice(parts, advise)
    }
    const form = createForm(set, table, rules, { ...options, ready })
    return { ...form, common: commonDefinition(form, advise) }
  }
}

function commonDefinition(form: Form, advise: AdviseOnClient): CommonDefinition {
  return {
    paletteLabel() {
      return this._('label')
    },
    labelStyle() {
      return this.name ? 'node_label_italic' : ''
    },
    onpaletteadd() {
      // The palette's filter searches this text. It includes what the node is used for, because people search for such
      // words, and a node's name may lack them.
      const words = `${this._('label')} ${this._('search')}`
      $(`.red-ui-palette-node[data-palette-type="${this.type}"]`).attr('data-palette-label', words)
      checkClient(this.type, advise)
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
