/** The link from the client's form to the control room of its sandbox. */

/**
 * Shows the link, or hides it if no control room is known. `address` is the input for the service's address. If it
 * contains the address of a sandbox, that sandbox's control room has the same address.
 */
export function linkControlRoom(address: JQuery): void {
  const link = $('#eid-control-room')
  const show = (url: string) =>
    link
      .attr('href', url)
      .parent()
      .toggle(url !== '')
  const update = () => {
    const own = String(address.val() ?? '').trim()
    // The value of an environment variable is not known here.
    if (own !== '') return void show(/^https?:/.test(own) ? own : '')
    // A relative address, because the editor may be served below a path.
    $.getJSON('eid/client/sandbox')
      .done(({ url }: { url: string }) => show(url))
      .fail(() => show(''))
  }
  show('')
  address.on('change', update)
  update()
}
