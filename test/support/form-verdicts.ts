/** Asks the real form of a node whether stored settings are valid, without a page in a browser. */
import { join } from 'node:path'
import { nodeNames, root } from './house'

type Settings = Readonly<Record<string, unknown>>
interface Form {
  valid(name: string): (this: object, value: unknown, options: object) => true | string
}
type CreateForm = (set: string, ...rest: unknown[]) => Form

/**
 * Replaces everything that a form uses when it registers: every member and every result of this object is the object
 * itself.
 */
const silent: unknown = new Proxy(() => undefined, { get: () => silent, apply: () => silent })

const forms = new Map<string, Form>()

/** Loads the forms of all nodes. */
export async function loadForms(): Promise<void> {
  const shared = (await import(join(root, 'lib/editor/common-definition.ts'))) as {
    nodeForms(advise: () => object): CreateForm
  }
  // Advice about the client is for the page and the canvas only.
  const create = shared.nodeForms(() => ({ wrong: '', hint: () => '' }))
  const createForm: CreateForm = (set, ...rest) => {
    const form = create(set, ...rest)
    forms.set(set, form)
    return form
  }
  const known: Readonly<Record<string, unknown>> = {
    _: (key: string) => key,
    settings: { context: { stores: ['default', 'file'] } },
    nodes: { registerType: () => undefined, eachNode: () => undefined, node: () => null },
  }
  const empty = () => ({})
  Object.assign(globalThis, {
    window: globalThis,
    $: silent,
    RED: new Proxy({}, { get: (_own, name) => known[String(name)] ?? silent }),
    __COMMON__: empty,
    __CREDENTIALS__: empty,
    __DEFAULTS__: empty,
  })
  // The form of the client also provides the parts that all forms share. It must not replace the parts that are set
  // here.
  const place = { push: (use: (parts: unknown) => void) => use({ createForm }) }
  Object.defineProperty(globalThis, 'eidEditor', { get: () => place, set: () => undefined, configurable: true })
  for (const name of nodeNames) await import(join(root, `nodes/${name}/${name}.editor.ts`))
}

/** The form's objections by setting; empty if the form accepts the node. */
export function markedIn(name: string, settings: Settings, names: readonly string[]): Record<string, string> {
  const form = forms.get(name)
  if (!form) throw new Error(`there is no form of "${name}"`)
  const node = { id: 'n', type: `eid-${name}`, ...settings, _: (key: string) => key }
  const verdicts = names.map((one) => [one, form.valid(one).call(node, settings[one], {})] as const)
  return Object.fromEntries(verdicts.filter(([, verdict]) => verdict !== true)) as Record<string, string>
}
