/**
 * Splits long forms into tabs: every `<div data-tab="key">` becomes a tab, named by `tabs.key` of the node's catalog.
 */

/**
 * Creates the tabs. The returned function hides tabs without a setting that applies, and marks tabs with an invalid
 * value, so that no fault is hidden behind another tab.
 */
export function prepareTabs(text: (key: string) => string, common: (key: string) => string): () => void {
  const pages = $('.red-ui-tray').last().find('[data-tab]')
  if (pages.length === 0) return () => undefined
  const bar = $('<div class="eid-tabs" role="tablist">').insertBefore(pages.first())
  let chosen = 0
  const choose = (index: number) => {
    chosen = index
    pages.each((at, page) => void $(page).toggle(at === index))
    bar.children().each((at, tab) => {
      $(tab).attr({ 'aria-selected': String(at === index), tabindex: at === index ? 0 : -1 })
    })
  }
  const usedPages = () => pages.toArray().flatMap((page, index) => (hasSetting(page) ? [index] : []))
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
        const used = usedPages()
        const next = used[(used.indexOf(index) + step + used.length) % used.length] ?? index
        choose(next)
        bar.children().eq(next).trigger('focus')
      })
      .appendTo(bar)
  })
  choose(0)
  return () => {
    const used = usedPages()
    bar.toggle(used.length > 1)
    pages.each((index, page) => {
      const tab = bar.children().eq(index)
      tab.toggle(used.includes(index))
      markTab(tab, hasReason(page), common('tabProblem'))
    })
    if (!used.includes(chosen)) choose(used[0] ?? 0)
  }
}

/** True if a setting on the page, or in the fold, applies to the current choices. */
export function hasSetting(page: HTMLElement): boolean {
  const rows = $(page).find('.form-row[data-row]').toArray()
  return rows.length === 0 || rows.some((row) => row.style.display !== 'none')
}

/** Adds or removes the mark. The mark has an accessible name, which a screen reader reads with the tab. */
function markTab(tab: JQuery, wrong: boolean, meaning: string): void {
  if (tab.children('.eid-tab-mark').length > 0 === wrong) return
  if (!wrong) tab.children('.eid-tab-mark').remove()
  else
    $('<i class="fa fa-exclamation-triangle eid-tab-mark" role="img">')
      .attr({ 'aria-label': meaning, title: meaning })
      .appendTo(tab)
}

/**
 * True if the page shows a fault, or would show one if its tab were chosen or its fold were open. Faults of settings that don't apply are
 * hidden within the page and don't count.
 */
export function hasReason(page: HTMLElement): boolean {
  const validationMessages = $(page).find('.eid-reason').toArray()
  return validationMessages.some((reason) => {
    const hidden = $(reason)
      .parentsUntil(page)
      .toArray()
      .some((parent) => parent.style.display === 'none')
    return !hidden && $(reason).text() !== ''
  })
}
