/** What the form of a node says of settings that are stored: the real forms, in an editor without a page. */
import { join } from 'node:path'
import { nodeNames, root } from './house'

type Settings = Readonly<Record<string, unknown>>
interface Form {
  valid(name: string): (this: object, value: unknown, options: object) => true | string
}
type CreateForm = (set: string, ...rest: unknown[]) => Form

/** Stands for whatever a form touches when it registers: every member is one more of it, and so is every result. */
const silent: unknown = new Proxy(() => undefined, { get: () => silent, apply: () => silent })

const forms = new Map<string, Form>()

/** Loads the forms of all nodes. */
export async function loadForms(): Promise<void> {
  const shared = (await import(join(root, 'lib/editor/common-definition.ts'))) as { createNodeForm: CreateForm }
  const createForm: CreateForm = (set, ...rest) => {
    const form = shared.createNodeForm(set, ...rest)
    forms.set(set, form)
    return form
  }
  const known: Readonly<Record<string, unknown>> = {
    _: (key: string) => key,
    settings: { context: { stores: ['default', 'file'] } },
    nodes: { registerType: () => undefined, eachNode: () => undefined },
  }
  const empty = () => ({})
  Object.assign(globalThis, {
    ...{ window: globalThis, $: silent, RED: new Proxy({}, { get: (_own, name) => known[String(name)] ?? silent }) },
    ...{ __COMMON__: empty, __CREDENTIALS__: empty, __DEFAULTS__: empty },
  })
  // The form of the client provides the shared parts as well; those of here stay.
  const place = { push: (use: (parts: unknown) => void) => use({ createForm }) }
  Object.defineProperty(globalThis, 'eidEditor', { get: () => place, set: () => undefined, configurable: true })
  for (const name of nodeNames) await import(join(root, `nodes/${name}/${name}.editor.ts`))
}

/** The reasons that the form gives, by setting; none for a node that looks right. */
export function markedIn(name: string, settings: Settings, names: readonly string[]): Record<string, string> {
  const form = forms.get(name)
  if (!form) throw new Error(`there is no form of "${name}"`)
  const node = { id: 'n', type: `eid-${name}`, ...settings, _: (key: string) => key }
  const verdicts = names.map((one) => [one, form.valid(one).call(node, settings[one], {})] as const)
  return Object.fromEntries(verdicts.filter(([, verdict]) => verdict !== true)) as Record<string, string>
}
