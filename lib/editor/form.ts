/**
 * Turns a node's table of settings into a working form: typed inputs, lists, rows that appear when they apply,
 * validation.
 */
import { isTyped, type Field, type Fields, type TypedField } from '../settings/fields'
import { flagOf } from '../settings/flag'
import type { Rule, RuleName } from '../settings/rules'
import { conflictOf, knownValues } from '../settings/conflicts'
import { isRelevant, isRequired, isStarred, withoutLifted, type ReadStored, type Stored } from '../settings/validation'
import { addChoices, hasChoices } from './choices'
import { prepareChooseFile } from './choose-file'
import type { DoubtOf, FormContext, FormParts } from './form-context'
import { inOneGo } from './in-one-go'
import { ignoreModifiers } from './modifier-keys'
import { addPicker } from './pickers'
import { prepareFold } from './fold'
import { fillInsertButtons, lastList } from './insert-field'
import { checkRows, prepareRows, readRows, replaceRows, resizeRows, showRows } from './rows'
import { offers } from './suggestions'
import { prepareSendTest, type SendTestOptions } from './send-test'
import { prepareTabs } from './tabs'
import { typesOf } from './types'
import { conflictText, nameParts, showExample, showMessage, showStar, verdictOf } from './validation-messages'
import { exampleOf } from './words'

/** The rules named in a table and its lists. A form bundles exactly these rules. */
type RulesIn<F> = { [Name in keyof F]: RuleIn<F[Name]> }[keyof F]
type RuleIn<T> = (T extends { rule: infer R } ? R : never) | (T extends { rows: infer Rows } ? RulesIn<Rows> : never)

export type FormRules<F> = Readonly<Record<RulesIn<F> & RuleName, Rule>>

/** `read` returns the node's settings: from the form while it is open, otherwise as stored. */
export type AlsoWrong = (node: EditorNode, value: unknown, read: ReadStored) => string | undefined

export interface FormOptions {
  /** Prefix of the inputs' ids; config nodes and palette nodes use different prefixes. */
  readonly prefix?: string
  readonly doubtOf?: DoubtOf
  /** Called when the form is ready. Used for previews of the chosen file. */
  readonly ready?: (parts: FormParts) => void
  /** Functions that return further faults as sentences, such as faults that only the wires on the canvas reveal. */
  readonly alsoWrong?: Readonly<Record<string, AlsoWrong>>
  /** Options of "Send a test", if the form offers it. */
  readonly sendTest?: SendTestOptions
}

export interface Form {
  prepare(node: EditorNode): void
  save(node: EditorNode): void
  resize(size: { width: number; height: number }): void
  /** The name of a setting as people see it, for Node-RED's own messages. */
  label(name: string): string
  /** The validator of one setting, for `defaults`. */
  valid(name: string): (this: EditorNode, value: unknown, options: unknown) => boolean | string
  /** The label of a node's choice, such as its operation. If none is stored, the default of a new node is used. */
  choice(node: EditorNode, name: string): string
  /** The palette's description of the category. */
  readonly about: string
  /** A text of the node's catalog. */
  text(key: string): string
}

/** The data and functions that the parts of a form share. */
interface FormTools {
  readonly fields: Fields
  readonly names: readonly string[]
  readonly prefix: string
  readonly context: FormContext
  input(name: string): JQuery
  /** A setting's current value in the open form. */
  shown(name: string): Stored
  verdict(name: string, field: Field, read: ReadStored): true | string
  /** A further fault (`alsoWrong`) of a setting whose own value is valid. */
  alsoOn(node: EditorNode, name: string, read: ReadStored): true | string
}

/**
 * `set` is the node's folder name; the texts of its form are in its catalog. `rules` are the rules that the table
 * names.
 */
export function createForm<const F extends Fields>(
  set: string,
  table: F,
  rules: FormRules<F>,
  { prefix = 'node-input', doubtOf, sendTest, ready, alsoWrong }: FormOptions = {},
): Form {
  const tools = createTools(set, table, rules, { prefix, doubtOf, alsoWrong })
  const { fields, names, input } = tools
  const { text, common } = tools.context
  let editing = ''
  let opened: Record<string, unknown> | undefined
  return {
    text,
    about: common('about'),
    label: (name) => text(`fields.${name}`),
    choice: (node, name) => text(`choices.${name}.${String(node[name] ?? fields[name]?.initial)}`),
    prepare(node) {
      editing = node.id
      const form = input(names[0] ?? '').closest('.eid-form')
      const settingInputs = $(names.map((name) => `#${prefix}-${name}`).join())
      // The form is hidden while it is built: each typed input measures itself, and an invisible input needs no layout.
      // Each input also reports a change, after which Node-RED would check all settings, although it checks them at the
      // end anyway.
      form.hide()
      settingInputs.attr('skipValidation', 'true')
      try {
        prepareAll(tools, node, form, sendTest && { ...sendTest, set })
      } finally {
        settingInputs.removeAttr('skipValidation')
        form.show()
      }
      ready?.({
        node,
        input,
        lastList,
        context: tools.context,
        rows: (name) => readRows(name, rowsOf(fields, name)),
        setRows: (name, rows) => replaceRows(name, rows),
      })
      fillInsertButtons(form)
      ignoreModifiers(form)
      // Waits, because the node's own form may still add to its inputs.
      opened = undefined
      window.setTimeout(() => (opened = settingsIn(tools)))
    },
    save(node) {
      const shown = settingsIn(tools)
      const isUntouched = (key: string) => JSON.stringify(shown[key]) === JSON.stringify(opened?.[key])
      for (const [name, field] of Object.entries(fields)) {
        // Node-RED stores what is in each input that it finds. A setting that was not touched stays as it is stored, also
        // if the flow file lacks it.
        if ([name, `${name}Type`, `${name}Rows`].every(isUntouched)) {
          input(name)
            .add(input(`${name}Type`))
            .removeAttr('id')
        } else if (isTyped(field) && field.rows) node[`${name}Rows`] = shown[`${name}Rows`]
      }
      const { _def, credentials = {} } = node as Secretive
      for (const name of Object.keys(_def?.credentials ?? {})) {
        const isStored = credentials[`has_${name}`] === true || Boolean(credentials[name])
        if (!isStored && input(name).val() === '') input(name).removeAttr('id')
      }
      editing = ''
    },
    resize: (size) => resizeRows(fields, size),
    valid(name) {
      const field = fields[name] as Field
      // The function needs two parameters, otherwise Node-RED does not show the reason.
      return function (value, _options) {
        const open = editing === this.id && input(name).length > 0
        const stored = (other: string): Stored => ({
          value: other === name ? value : this[other],
          type: this[`${other}Type`] as string | undefined,
          rows: this[`${other}Rows`],
        })
        const read = open ? tools.shown : stored
        if (!isRelevant(field, fields, read)) return true
        const verdict = tools.verdict(name, field, read)
        return verdict === true ? tools.alsoOn(this, name, read) : verdict
      }
    },
  }
}

/** The parts of a node in the editor that concern its secrets. */
interface Secretive {
  readonly _def?: { readonly credentials?: object }
  readonly credentials?: Readonly<Record<string, unknown>>
}

function rowsOf(fields: Fields, name: string): Fields {
  const field = fields[name]
  return (field && isTyped(field) && field.rows) || {}
}

function createTools<const F extends Fields>(
  set: string,
  table: F,
  rules: FormRules<F>,
  { prefix, doubtOf, alsoWrong }: { readonly prefix: string } & Pick<FormOptions, 'doubtOf' | 'alsoWrong'>,
): FormTools {
  const fields: Fields = table
  const input = (name: string) => $(`#${prefix}-${name}`)
  const context: FormContext = {
    text: (key) => RED._(`@eid-flows/node-red-eid/${set}:${key}`),
    common: (key) => RED._(`@eid-flows/node-red-eid/client:${key}`),
    rules,
    offers: offers(
      () => String(input('client').val() ?? ''),
      (list) => shown(list).rows,
    ),
    doubtOf,
    around: (name) => shown(name),
    known: (read) => knownValues(fields, read, rules),
  }
  const shown = (name: string): Stored => {
    const field = fields[name]
    // A check box's value in the browser does not depend on whether it is ticked.
    if (field?.kind === 'flag') return { value: input(name).prop('checked') as boolean }
    if (!field || !isTyped(field)) return { value: input(name).val() }
    const rows = field.rows && readRows(name, field.rows)
    return { value: input(name).typedInput('value'), type: input(name).typedInput('type'), rows }
  }
  const verdict = (name: string, ruled: Field, read: ReadStored) => {
    const field = withoutLifted(ruled, read)
    const stored = read(name)
    const own = verdictOf(field, stored, wordsFor(name, field, read), context)
    const conflict = own === true && conflictOf(field, { fields, read, rules })
    if (conflict) return conflictText(conflict, context.text(`fields.${name}`), context)
    const isList = isTyped(field) && (stored.type ?? field.type) === 'form'
    return own === true && isList ? checkRows(name, field, stored.rows, { ...context, around: read }) : own
  }
  const wordsFor = (name: string, field: Field, read: ReadStored) => ({
    label: context.text(`fields.${name}`),
    required: isRequired(field, fields, read),
  })
  const alsoOn = (node: EditorNode, name: string, read: ReadStored) =>
    alsoWrong?.[name]?.(node, read(name).value, read) ?? true
  return { fields, names: Object.keys(fields), prefix, context, input, shown, verdict, alsoOn }
}

/** All settings as they would be stored. */
function settingsIn({ names, shown }: FormTools): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const { value, type, rows } = shown(name)
      return [
        [name, value],
        ...(type === undefined
          ? []
          : ([
              [`${name}Type`, type],
              [`${name}Rows`, rows],
            ] as [string, unknown][])),
      ]
    }),
  )
}

function prepareTyped(tools: FormTools, name: string, field: TypedField, node: EditorNode): void {
  const { fields, prefix, input, context } = tools
  const { text, common } = context
  const typeField = $('<input type="hidden">').attr('id', `${prefix}-${name}Type`).insertAfter(input(name))
  const type = String(node[`${name}Type`] ?? field.type)
  typeField.val(type)
  const row = input(name).closest('.form-row')
  const picker = addPicker(field, input(name), text(`fields.${name}`), common)
  // Node-RED only accepts a width in calc().
  input(name).css('width', picker ? 'calc(var(--eid-field) - 40px)' : 'calc(var(--eid-field))')
  input(name).typedInput({ default: field.type, types: typesOf(field, context), typeField })
  // The row may contain more after the input, such as a tip.
  if (picker) input(name).nextAll('.red-ui-typedInput-container').first().after(picker)
  if (node[name] === undefined || node[name] === null) input(name).typedInput('value', field.initial)
  input(name).typedInput('type', type)
  nameParts(row, text(`fields.${name}`), common)
  showExample(input(name), exampleOf(name, context))
  if (hasChoices(field)) addChoices({ name, field, input: input(name), label: text(`fields.${name}`), context })
  if (field.required) row.find('.red-ui-typedInput-input, .eid-select').attr('aria-required', 'true')
  if (field.types?.includes('path')) {
    const typed = (one: string, wanted: string) => (node[`${one}Type`] === wanted ? String(node[one] ?? '') : '')
    const { initial = '', type: initialType = '' } = (fields.fileName ?? {}) as Partial<TypedField>
    prepareChooseFile(
      {
        file: input(name),
        baseFolder: input('baseFolder'),
        ...(fields.fileName && { fileName: input('fileName') }),
        noName: { type: initialType, value: String(initial) },
        stored: { path: typed(name, 'path'), name: typed('fileName', 'str') },
      },
      context,
      // A dropped file goes into the list of files, if there is one.
      !Object.values(fields).some((one) => isTyped(one) && one.rows?.file),
    )
  }
}

/** True if the stored value differs from that of a new node. A property that a flow file lacks is not set. */
function isSet(field: Field | undefined, value: unknown, type: unknown): boolean {
  if (!field || value === undefined) return false
  return String(value) !== String(field.initial) || (isTyped(field) && type !== undefined && type !== field.type)
}

/** Shows the settings that apply, and the reason below each invalid setting. */
function refresh({ fields, input, shown, verdict, alsoOn, context }: FormTools, node: EditorNode): void {
  for (const [name, field] of Object.entries(fields)) {
    const row = $(`.form-row[data-row="${name}"]`)
    const relevant = isRelevant(field, fields, shown)
    if (field.when ?? field.whenType) row.toggle(relevant)
    if (isTyped(field) && field.rows && field.when) showRows(name, input(name))
    showStar(row, field, { type: shown(name).type, isAsked: () => isStarred(field, fields, shown) })
    if (field.kind === 'label' || field.kind === 'config') continue
    // A fault in a row is shown in that row, not below the list.
    const required = isRequired(field, fields, shown)
    const own = () =>
      verdictOf(withoutLifted(field, shown), shown(name), { label: context.text(`fields.${name}`), required }, context)
    // Node-RED marks a setting only when its own value changes, not when another setting makes it invalid.
    const byItself = !relevant || verdict(name, field, shown)
    const whole = byItself === true && relevant ? alsoOn(node, name, shown) : byItself
    const wrong = whole !== true
    showMessage(row, relevant && isTyped(field) && field.rows ? own() : whole)
    input(name).next('.red-ui-typedInput-container').addBack().toggleClass('input-error', wrong)
  }
}

function prepareAll(
  tools: FormTools,
  node: EditorNode,
  form: JQuery,
  sendTest: (SendTestOptions & { readonly set: string }) | undefined,
): void {
  const { fields, input, context } = tools
  for (const [name, field] of Object.entries(fields)) {
    // A flow file may lack any setting; its default is shown.
    const stored = node[name] ?? field.initial
    if (isTyped(field)) prepareTyped(tools, name, field, node)
    else if (field.kind === 'flag') input(name).prop('checked', flagOf(stored) === true)
    else if (field.kind === 'choice' && !input(name).val()) input(name).val(String(field.initial))
    else if (field.kind === 'text' || field.kind === 'count')
      input(name).val(String(stored)).attr('placeholder', exampleOf(name, context))
  }
  // Lists come last, because the settings outside a list can decide what its rows need.
  for (const [name, field] of Object.entries(fields))
    if (isTyped(field) && field.rows)
      prepareRows({ name, fields: field.rows, node, input: input(name), baseFolder: input('baseFolder'), context })
  if (sendTest) {
    const client = () => String(input('client').val() ?? '')
    prepareSendTest(form, { ...sendTest, client, settings: () => settingsIn(tools), context })
  }
  const mark = prepareTabs(context.text, context.common)
  const unfold = prepareFold(form, context.common('forDevelopers'), (name) =>
    isSet(fields[name], node[name], node[`${name}Type`]),
  )
  // Runs at every keystroke. If a mark were added only when the field loses the focus, it would move the tab that is
  // about to be clicked.
  const refreshAll = () => {
    refresh(tools, node)
    unfold()
    mark()
  }
  // The value of one setting can make another one required.
  form.on('change input', inOneGo(form, refreshAll))
  refreshAll()
}
