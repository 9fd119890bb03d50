/**
 * Adds a hint below the setting for the editor's address: where links in messages lead, and a button that enters this
 * window's address.
 */

export function prepareEditorAddress(input: JQuery, text: (key: string) => string): void {
  const here = location.origin + location.pathname
  const words = (key: string, address: string) => text(`links.${key}`).replace('__address__', address)
  const said = $('<div class="eid-path-hint" role="status">')
  const use = $('<button type="button" class="red-ui-button red-ui-button-small">').text(words('use', here))
  let own = ''
  const show = () => {
    const isEmpty = String(input.val()).trim() === ''
    said.text(!isEmpty ? '' : words(own === '' ? 'none' : 'own', own))
    // Other people can't open a loopback address.
    use.toggle(isEmpty && own === '' && !isLoopback(location.hostname))
  }
  use.on('click', () => void input.val(here).trigger('change').trigger('focus'))
  input.closest('.form-row').append(said, $('<div class="eid-path-hint">').append(use))
  input.on('input change', show)
  $.getJSON('eid/alerts/address')
    .done(({ address }: { address: string }) => {
      own = address
      show()
    })
    .fail(() => undefined)
  show()
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\./.test(host)
