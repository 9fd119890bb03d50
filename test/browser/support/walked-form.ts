/**
 * Fills in the open form of a node from its table of settings. Each setting gets a value that differs from its value in
 * a new node.
 */
import type { Locator, Page } from 'playwright-core'
import type { Fields } from '../../../lib/settings/fields'
import { onCanvas } from '../../support/house'
import { openDialog } from '../../support/node-red/editor'

/** The typed values, as the flow file must contain them. */
export type Typed = Record<string, unknown>

interface Filled {
  readonly typed: Typed
  /** How many settings and cells of lists were filled in. */
  readonly count: number
}

interface Walk {
  readonly id: string
  readonly fields: Fields
  /** Values of the settings that are filled in first, because others depend on them. */
  readonly chosen: Readonly<Record<string, string>>
  /** Varies the types of typed inputs from node to node, so that each type is used. */
  readonly turn: number
  readonly samples: Readonly<Record<string, string>>
}

/** The part of the page's own jQuery that is used here. */
interface JQuery {
  readonly [index: number]: HTMLElement
  readonly length: number
  typedInput(method: 'instance'): undefined | { readonly typeMap: Readonly<Record<string, unknown>> }
  typedInput(method: 'type' | 'value', value: string): JQuery
  editableList(method: 'addItem', data: object): JQuery
  editableList(method: 'items'): JQuery
  find(selector: string): JQuery
  val(value: unknown): JQuery
  prop(name: string, value: unknown): JQuery
  trigger(event: string): JQuery
}

interface EditorWindow {
  jQuery(selector: string | HTMLElement): JQuery
  RED: {
    nodes: {
      node(id: string): Record<string, unknown>
      getType(name: string): { defaults: Record<string, { value: unknown }> }
      import(nodes: object[]): void
    }
    editor: { edit(node: unknown): void }
    view: { redraw(all: boolean): void }
  }
}

/** Adds a new node of each type, whose id is its name. */
export function addEachNode(page: Page): Promise<void> {
  return page.evaluate((names) => {
    const { RED } = window as unknown as EditorWindow
    const nodes = names.map((id, index) => {
      const { defaults } = RED.nodes.getType(`eid-${id}`)
      const initial = Object.fromEntries(Object.entries(defaults).map(([key, { value }]) => [key, value]))
      const place = { z: 'f', x: 200, y: 50 + 40 * index, wires: [] }
      return Object.assign(initial, place, { id, type: `eid-${id}` }, 'client' in defaults && { client: 'c' })
    })
    RED.nodes.import([{ id: 'c', type: 'eid-client', name: '', environment: 'sandbox' }, ...nodes])
    RED.view.redraw(true)
  }, onCanvas)
}

/** Opens the form of a node without the mouse, with the fold *For developers*, and returns it once it is open. */
export async function openForm(page: Page, id: string): Promise<Locator> {
  await page.evaluate((wanted) => {
    const { RED } = window as unknown as EditorWindow
    RED.editor.edit(RED.nodes.node(wanted))
  }, id)
  const dialog = await openDialog(page)
  await dialog.locator('.eid-developers').evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')))
  return dialog
}

/** Presses Done, and waits until the form is gone. */
export async function finishForm(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLElement>('#node-dialog-ok')?.click())
  await page.waitForFunction(() => document.querySelector('.red-ui-tray') === null, undefined, { polling: 20 })
}

/** Fills in all visible fields, including the fields that appear because of values in other fields. */
export function fillForm(page: Page, walk: Walk): Promise<Filled> {
  return page.evaluate(fill, walk)
}

/**
 * Runs in the page. All functions in it are methods, because the transpiler wraps other functions in a helper that does
 * not exist in the page.
 */
async function fill({ fields, chosen, turn, samples }: Walk): Promise<Filled> {
  const { jQuery: $ } = window as unknown as EditorWindow
  const typed: Typed = {}
  const filled = new Set<string>()
  let count = 0
  const tools = {
    types(input: JQuery): string[] {
      const widget = input.typedInput('instance')
      if (!widget) throw new Error(`no typed input among ${input.length}`)
      return Object.keys(widget.typeMap)
    },
    literal(name: string, field: Fields[string]): string {
      const known = (field.choices ?? field.suggestions ?? []).filter((one) => one !== field.initial)
      return samples[name] ?? samples[field.rule ?? ''] ?? known[known.length - 1] ?? `typed ${name}`
    },
    value(name: string, field: Fields[string], type: string): string {
      const own =
        samples[`${name}:${type}`] ??
        {
          num: '7',
          bool: field.initial === 'true' ? 'false' : 'true',
          json: field.kind === 'array' ? '[{"a": 1}]' : '{"a": 1}',
          bin: '[1,2]',
          base64: 'QUJD',
          env: 'WALKED',
          jsonata: `payload.${name} & "æ"`,
          days: '3',
          tpl: 'Till {Last name} æ',
          path: 'folder/file.pdf',
        }[type]
      if (own !== undefined) return own
      return type === 'str' ? tools.literal(name, field) : `walked.${name}`
    },
    /** A type that differs from the type in a new node, if there is another type. */
    typeFor(input: JQuery, field: Fields[string] & { type?: string }, index: number): string {
      const all = tools.types(input).filter((one) => one !== 'auto')
      const others = all.filter((one) => one !== field.type)
      return others.length === 0 ? (all[0] ?? '') : (others[(turn + index) % others.length] ?? '')
    },
    typedInput(input: JQuery, name: string, field: Fields[string], type: string): string {
      // The type `form` stands for a list, which has its values in its rows.
      const value = type === 'form' ? '' : tools.value(name, field, type)
      input.typedInput('type', type)
      if (type !== 'form') input.typedInput('value', value)
      input.trigger('change')
      return value
    },
    row(name: string, rows: Fields): Record<string, unknown> {
      const list = $(`#eid-list-${name}`)
      list.editableList('addItem', {})
      const items = list.editableList('items')
      const row = $(items[items.length - 1] as HTMLElement)
      const held: Record<string, unknown> = {}
      Object.entries(rows).forEach(([column, field], index) => {
        const input = row.find(`input[data-field="${column}"]`)
        const type = tools.typeFor(input, field, index)
        held[column] = tools.typedInput(input, column, field, type)
        held[`${column}Type`] = type
        count += 1
      })
      return held
    },
    setting(name: string, field: Fields[string], index: number): void {
      const input = $(`#node-input-${name}`)
      count += 1
      if (!('type' in field)) {
        if (field.kind === 'config') return
        if (field.kind === 'flag') {
          typed[name] = field.initial !== true
          input.prop('checked', typed[name]).trigger('change')
          return
        }
        const value =
          chosen[name] ?? (field.kind === 'count' ? String(Number(field.initial) + 1) : tools.literal(name, field))
        typed[name] = value
        input.val(value).trigger('change')
        return
      }
      const isList = field.rows !== undefined && (turn % 2 === 0 || tools.types(input).length < 2)
      const type = isList ? 'form' : tools.typeFor(input, field, index)
      typed[name] = tools.typedInput(input, name, field, type)
      typed[`${name}Type`] = type
      if (isList && field.rows) typed[`${name}Rows`] = [tools.row(name, field.rows)]
    },
    isShown(name: string): boolean {
      const row = $(`.form-row[data-row="${name}"]`)[0]
      return row !== undefined && row.style.display !== 'none'
    },
  }
  const entries = Object.entries(fields)
  for (const name of Object.keys(chosen)) {
    tools.setting(name, fields[name] as Fields[string], 0)
    filled.add(name)
  }
  for (let more = true; more;) {
    // The form shows and hides fields in a later turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 30))
    more = false
    entries.forEach(([name, field], index) => {
      if (filled.has(name) || !tools.isShown(name)) return
      tools.setting(name, field, index)
      filled.add(name)
      more = true
    })
  }
  return { typed, count }
}
