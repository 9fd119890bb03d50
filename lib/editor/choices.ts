/**
 * Lets people choose a setting's values in plain words inside its typed input: from a list if the setting has one
 * value, with tick boxes if it has several. The stored value does not change. "other …" opens the text field for any
 * other value.
 */
import { splitText } from '../common/split-list'
import { isTyped, type Field, type TypedField } from '../settings/fields'
import type { FormContext } from './form-context'
import { wordOf } from './words'

/** A setting in the form whose input already is a typed input. */
interface ChoiceInput {
  readonly name: string
  readonly field: TypedField
  readonly input: JQuery
  readonly label: string
  readonly context: FormContext
}

const other = 'other …'
/** Rules that accept no value outside the list. */
const closedRules: readonly string[] = ['themeMode', 'channel']

/**
 * True if the form offers words to choose from. If the suggestions only complete the typed text, the setting keeps its
 * text field instead.
 */
export function hasChoices(field: Field): boolean {
  const known = field.choices ?? field.suggestions ?? field.suggest ?? field.among
  return isTyped(field) && known !== undefined && field.completes !== true
}

/** Adds the choice to the typed input. The choice is shown while the type is text. */
export function addChoices(choice: ChoiceInput): void {
  const container = choice.input.nextAll('.red-ui-typedInput-container').first()
  const isText = () => choice.input.typedInput('type') === 'str'
  const show = choice.field.kind === 'any' ? addBoxes(choice, container) : addSelect(choice, container)
  const update = () => {
    container.toggleClass('eid-choice', isText())
    if (isText()) show()
  }
  choice.input.on('change', update)
  // The items of another list of the form may have changed since.
  if (choice.field.among) container.on('mouseenter', update)
  // Node-RED removes its focus mark when its own text field loses the focus, but that text field is hidden here.
  container.on('focusout', ({ relatedTarget }) => {
    const isInside = relatedTarget instanceof Node && container[0]?.contains(relatedTarget)
    container.toggleClass('red-ui-typedInput-focus', isInside === true)
  })
  update()
}

function known({ field, context }: ChoiceInput): readonly string[] {
  return field.choices ?? context.offers(field).map(({ value }) => value)
}

function isOpen({ field }: ChoiceInput): boolean {
  return !field.choices && !closedRules.includes(field.rule ?? '')
}

/** Adds a list of words for a setting with one value. */
function addSelect(choice: ChoiceInput, container: JQuery): () => void {
  const { name, field, input, label, context } = choice
  const select = $('<select class="eid-select">').attr('aria-label', label)
  select.insertAfter(container.children('.red-ui-typedInput-type-select'))
  let values: readonly string[] = []
  let writing = false
  const option = (value: string, words: string) => $('<option>').val(value).text(words).appendTo(select)
  const fill = () => {
    const value = input.typedInput('value')
    const closed = !isOpen(choice)
    const wanted = [...known(choice)]
    // A closed list also offers a stored value that is not in the list, so that a value from the flow file is kept.
    if (closed && value !== '' && !wanted.includes(value)) wanted.push(value)
    if (field.required !== true || value === '') wanted.unshift('')
    if (wanted.join('\n') === values.join('\n')) return
    values = wanted
    select.empty()
    for (const one of values) option(one, wordOf(field, name, one, context))
    if (!closed) option(other, context.common('words.other'))
  }
  const show = () => {
    fill()
    const value = input.typedInput('value')
    writing = !values.includes(value) || (writing && value === '')
    container.toggleClass('eid-writing', writing)
    select.val(writing ? other : value)
  }
  // The list that the service provides may have arrived since the choice was built.
  select.on('focus', show)
  select.on('change', (event) => {
    // The event stops here, because the typed input itself notifies the form.
    event.stopPropagation()
    const chosen = String(select.val())
    writing = chosen === other
    input.typedInput('value', writing ? '' : chosen)
    if (writing) container.find('.red-ui-typedInput-input').trigger('focus')
  })
  return show
}

/** Adds tick boxes for a setting with several values. The values are stored as a comma-separated list. */
function addBoxes(choice: ChoiceInput, container: JQuery): () => void {
  const { name, field, input, label, context } = choice
  const boxes = $('<div class="eid-boxes" role="group">').attr('aria-label', label)
  boxes.insertAfter(container.children('.red-ui-typedInput-type-select'))
  container.addClass('eid-several')
  let writing = false
  let values: readonly string[] = []
  const box = (value: string, words: string) => {
    const made = $('<input type="checkbox">').val(value)
    $('<label class="eid-tick">').append(made, ` ${words}`).appendTo(boxes)
  }
  const fill = () => {
    const wanted = known(choice)
    if (wanted.join('\n') === values.join('\n')) return
    values = wanted
    boxes.empty()
    for (const one of values) box(one, wordOf(field, name, one, context))
    box(other, context.common('words.other'))
  }
  const listed = () => splitText(input.typedInput('value'))
  const show = () => {
    fill()
    const chosen = listed()
    writing = writing || chosen.some((one) => !values.includes(one))
    container.toggleClass('eid-writing', writing)
    boxes.find('input').each((_index, one) => {
      const { value } = one as HTMLInputElement
      $(one).prop('checked', value === other ? writing : chosen.includes(value))
    })
  }
  boxes.on('focusin', show)
  boxes.on('change', 'input', (event) => {
    event.stopPropagation()
    const { value, checked } = event.target as HTMLInputElement
    const chosen = listed()
    if (value === other) {
      writing = checked
      input.typedInput('value', checked ? chosen.join(', ') : chosen.filter((one) => values.includes(one)).join(', '))
      if (checked) container.find('.red-ui-typedInput-input').trigger('focus')
    } else {
      const others = chosen.filter((one) => one !== value)
      input.typedInput('value', (checked ? [...others, value] : others).join(', '))
    }
  })
  return show
}
