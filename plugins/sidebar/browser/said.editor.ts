/** The line below a row with the result of its last button. */
import { element } from './dom.editor'
import type { RowState } from './tab-context.editor'

/** Empty before a button has been pressed. */
export function saidIn({ said }: RowState): HTMLElement[] {
  if (said === undefined) return []
  return [element('p', { class: 'eid-said', 'data-outcome': said.ok ? 'good' : 'bad' }, said.text)]
}
