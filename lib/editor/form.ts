/** Turns a node's table of settings into a working form: typed inputs, lists, rows that appear when they apply, validation. */
import { isTyped, type Field, type Fields, type TypedField } from '../fields'
import { prepareRows, readRows, resizeRows } from './rows'
import { prepareTabs } from './tabs'
import { typesOf } from './types'
import { checkField } from './validate'

export interface FormOptions {
  /** Config nodes have ids of their own. */
  readonly prefix?: 'node-input' | 'node-config-input'
  /** More suggestions for a setting than its table has, such as the service's own list. */
  readonly suggest?: (name: string) => readonly string[]
}

const shared = '@eid-flows/node-red-eid/client:'
const common = (key: string) => RED._(shared + key)

export interface Form {
  prepare(node: EditorNode): void
  save(node: EditorNode): void
  resize(size: { width: number; height: number }): void
  /** The name of a setting as people see it, for Node-RED's own messages. */
  label(name: string): string
  /** The validator of one setting, for `defaults`. */
  valid(name: string): (this: EditorNode, value: unknown, options: unknown) => boolean | string
}

/** `set` is the node's name in every room; the texts of its form are in its catalogue. */
export function createForm(set: string, fields: Fields, options: FormOptions = {}): Form {
  const prefix = options.prefix ?? 'node-input'
  const input = (name: string) => $(`#${prefix}-${name}`)
  const text = (key: string) => RED._(`@eid-flows/node-red-eid/${set}:${key}`)
  const suggestionsFor = (name: string, field: TypedField) => () => [
    ...new Set([...(options.suggest?.(name) ?? []), ...(field.suggestions ?? [])]),
  ]

  function prepareTyped(name: string, field: TypedField, node: EditorNode): void {
    const typeField = $('<input type="hidden">').attr('id', `${prefix}-${name}Type`).insertAfter(input(name))
    typeField.val(String(node[`${name}Type`] ?? field.type))
    const types = typesOf(field, suggestionsFor(name, field), common)
    input(name).typedInput({ default: field.type, types, typeField })
    // A flow file of an earlier version may lack the property.
    if (node[name] === undefined) input(name).typedInput('value', field.initial)
    input(name).typedInput('type', String(node[`${name}Type`] ?? field.type))
    if (field.rows) prepareRows({ name, fields: field.rows, node, input: input(name), text, common })
  }

  function showRows(): void {
    for (const [name, field] of Object.entries(fields)) {
      $(`.form-row[data-row="${name}"]`).toggle(isShown(field, fields, input))
    }
  }

  return {
    prepare(node) {
      for (const [name, field] of Object.entries(fields)) {
        if (isTyped(field)) prepareTyped(name, field, node)
        else if (field.kind === 'choice' && !input(name).val()) input(name).val(String(field.initial))
      }
      prepareTabs(text)
      const deciding = new Set(Object.values(fields).flatMap((field) => Object.keys(field.when ?? {})))
      for (const name of deciding) input(name).on('change', showRows)
      showRows()
    },
    save(node) {
      for (const [name, field] of Object.entries(fields)) {
        if (isTyped(field) && field.rows) node[`${name}Rows`] = readRows(name, field.rows)
      }
    },
    label: (name) => text(`fields.${name}`),
    resize: (size) => resizeRows(fields, size),
    valid(name) {
      const field = fields[name]
      return function (value, _options) {
        if (!field) return true
        return checkField(field, name, this, value, fields, { input, text, common })
      }
    },
  }
}

/** The same rule as at run time, on what the form shows now. */
function isShown(field: Field, fields: Fields, input: (name: string) => JQuery): boolean {
  return Object.entries(field.when ?? {}).every(([other, wanted]) => {
    const on = fields[other]
    if (!on) return true
    if (!isTyped(on)) return wanted.includes(String(input(other).val()))
    if (input(other).typedInput('type') !== 'str') return true
    return wanted.includes(String(input(other).typedInput('value')))
  })
}
