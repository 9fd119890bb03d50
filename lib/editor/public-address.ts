/** Shows the full address of a path that a node serves, as far as the editor knows it, with a button to copy it. */

import { addressBelow } from '../common/public-path'

/**
 * Adds the address and its button. `inputs` are the input of the path and, if there is one, the input of the public
 * address.
 */
export function prepareAddress(inputs: { path: JQuery; publicUrl?: JQuery }, copied: string): void {
  const tray = inputs.path.closest('.eid-form')
  const output = tray.find('.eid-address')
  const show = () => output.text(addressOf(String(inputs.path.val()), String(inputs.publicUrl?.val() ?? '')))
  inputs.path.add(inputs.publicUrl ?? $()).on('input change', show)
  tray.find('.eid-copy').on('click', (event) => {
    RED.clipboard.copyText(output.text(), $(event.currentTarget as HTMLElement), copied)
  })
  show()
}

/** The address of `path`: below the public address if there is one, otherwise below the address of this editor. */
function addressOf(path: string, publicUrl: string): string {
  const typed = /^https?:\/\/./.test(publicUrl) ? publicUrl : ''
  return addressBelow(String(RED.settings.httpNodeRoot || '/'), typed, path, location.origin)
}
