/** Long forms in tabs: every `<div data-tab="key">` of the form becomes one, named by `tabs.key` of the node's catalogue. */

export function prepareTabs(text: (key: string) => string): void {
  const pages = $('.red-ui-tray-body [data-tab]')
  if (pages.length === 0) return
  const holder = $('<ul>')
    .attr('id', 'eid-tabs')
    .css({ minWidth: '100%', marginBottom: '12px' })
    .insertBefore(pages.first())
  const tabs = RED.tabs.create({
    element: holder,
    onchange: (tab) => {
      pages.hide()
      pages.filter(`[data-tab="${tab.id}"]`).show()
    },
  })
  const names = pages.toArray().map((page) => page.dataset.tab ?? '')
  for (const id of names) tabs.addTab({ id, label: text(`tabs.${id}`) })
  tabs.activateTab(names[0] ?? '')
}
