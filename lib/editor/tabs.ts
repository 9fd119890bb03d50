/** Long forms in tabs: every `<div data-tab="key">` of the form becomes one, named by `tabs.key` of the node's catalogue. */

export function prepareTabs(text: (key: string) => string): void {
  const pages = $('.red-ui-tray').last().find('[data-tab]')
  if (pages.length === 0) return
  const bar = $('<div class="eid-tabs" role="tablist">').insertBefore(pages.first())
  const choose = (index: number) => {
    pages.each((at, page) => void $(page).toggle(at === index))
    bar.children().each((at, tab) => {
      $(tab).attr({ 'aria-selected': String(at === index), tabindex: at === index ? 0 : -1 })
    })
  }
  pages.each((index, page) => {
    const id = page.dataset.tab ?? ''
    $(page).attr({ id: `eid-page-${id}`, role: 'tabpanel', 'aria-labelledby': `eid-tab-${id}` })
    $('<button type="button" role="tab">')
      .attr({ id: `eid-tab-${id}`, 'aria-controls': `eid-page-${id}` })
      .text(text(`tabs.${id}`))
      .on('click', () => choose(index))
      .on('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key ?? '']
        if (step === undefined) return
        const next = (index + step + pages.length) % pages.length
        choose(next)
        bar.children().eq(next).trigger('focus')
      })
      .appendTo(bar)
  })
  choose(0)
}
