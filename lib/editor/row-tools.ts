/**
 * Adds a number to each row of a list, and buttons that move and remove the row. The buttons also work without a mouse.
 */
import type { FormContext } from './form-context'

const itemOf = (row: JQuery) => row.closest('li')

/** Puts the number and the buttons above the settings of a row. */
export function addRowTools(row: JQuery, { common }: Pick<FormContext, 'common'>): void {
  const tools = $('<div class="eid-row-tools"><span></span></div>').appendTo(row)
  const button = (name: string, icon: string, move: (item: JQuery) => void) => {
    const label = common(`rows.${name}`)
    const made = $(
      `<button type="button" class="red-ui-button red-ui-button-small"><i class="fa ${icon}"></i></button>`,
    )
    made.attr({ title: label, 'data-move': name }).appendTo(tools)
    made.on('click', () => {
      move(itemOf(row))
      nameRows(itemOf(row).parent(), { common })
      // Moving the row takes the focus from the button, so the button gets it back.
      made.trigger('focus').trigger('change')
    })
  }
  button('up', 'fa-arrow-up', (item) => item.insertBefore(item.prev('li')))
  button('down', 'fa-arrow-down', (item) => item.insertAfter(item.next('li')))
}

/** The title of a row, such as "1. Ola Nordmann", if a name was typed in the row itself; otherwise undefined. */
function titleOf(item: JQuery, number: number): string | undefined {
  const parts = ['firstName', 'lastName', 'name', 'label'].map((field) => {
    const input = item.find(`input[data-field="${field}"]`)
    return input.length > 0 && ['str', 'tpl'].includes(input.typedInput('type')) ? input.typedInput('value') : ''
  })
  const title = parts.filter(Boolean).join(' ')
  return title === '' ? undefined : `${number}. ${title}`
}

/**
 * Numbers the rows and names their buttons accordingly. This includes the list's own remove button, which would
 * otherwise have no accessible name.
 */
export function nameRows(list: JQuery, { common }: Pick<FormContext, 'common'>): void {
  const one = list.attr('data-one') ?? ''
  list.children('li').each((index, item) => {
    const name = `${one} ${index + 1}`
    $(item)
      .attr('aria-label', name)
      .find('.eid-row-tools > span')
      .text(titleOf($(item), index + 1) ?? name)
    for (const move of ['up', 'down']) {
      $(item)
        .find(`[data-move=${move}]`)
        .attr('aria-label', `${name}: ${common(`rows.${move}`)}`)
    }
    const remove = `${name}: ${common('rows.remove')}`
    $(item).find('.red-ui-editableList-item-remove').attr({ 'aria-label': remove, role: 'button' })
  })
}
