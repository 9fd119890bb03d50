/** What the canvas says about the client of each node: asked without a page, for as many nodes as a test needs. */
import { join } from 'node:path'
import should from 'should'
import { root } from '../../support/house'

type Settings = Readonly<Record<string, unknown>>
type Validate = (this: object, value: string, options: object) => true | string

const page = globalThis as { RED?: object }
const original = page.RED
/** Sets the check of the client for a type of node. */
let prepare: (type: string) => void

/** Puts these nodes on the canvas of a page, with a live client `c` that requests `scopes`. */
function openCanvas(nodes: readonly Settings[], scopes: string) {
  const all = new Map(nodes.map((node) => [node.id, node]))
  const client: Settings = { id: 'c', type: 'eid-client', environment: 'live', scopes, valid: true }
  const defaults: { client: { type: string; required: boolean; validate?: Validate } } = {
    client: { type: 'eid-client', required: true },
  }
  let looks = 0
  page.RED = {
    _: (key: string) => (key.endsWith('misfit.scopes') ? '__scopes__' : key),
    utils: { getNodeLabel: ({ id }: Settings) => id },
    nodes: {
      getType: () => ({ defaults }),
      node: (id: string) => {
        looks += 1
        return id === 'c' ? client : all.get(id)
      },
      eachNode: (use: (node: Settings) => void) => nodes.forEach((node) => use(node)),
    },
  }
  prepare('eid-any')
  return {
    /** What the canvas says about each node. */
    check: () => nodes.map((node) => defaults.client.validate?.call(node, 'c', { label: 'Client' })),
    looks: () => looks,
  }
}

/** What the canvas says about one node whose client requests these scopes. */
const markOf = (node: Settings, scopes: string) =>
  openCanvas([{ id: 'n', z: 'flow', client: 'c', ...node }], scopes).check()[0]

describe('the check of the client on the canvas', () => {
  before(async () => {
    // The compiler knows the editor's own names only in the editor's project, so these files are loaded by their paths.
    const { checkClient } = (await import(join(root, 'lib/editor/clients.ts'))) as {
      checkClient(type: string, advise: unknown): void
    }
    const { adviseOnClient } = (await import(join(root, 'nodes/client/advice.editor.ts'))) as {
      adviseOnClient: unknown
    }
    prepare = (type) => checkClient(type, adviseOnClient)
  })
  after(() => void (page.RED = original))

  it('looks up a client a few times per node, however many nodes there are', () => {
    const nodes = Array.from({ length: 1000 }, (_none, at) => {
      return { id: `n${at}`, z: 'flow', type: 'eid-create-document', client: 'c' }
    })
    const canvas = openCanvas(nodes, 'document_read document_write')
    should(canvas.check().every((mark) => mark === true)).be.true()
    should(canvas.looks()).be.belowOrEqual(10 * nodes.length)
  })

  it('names what a node cannot do', () => {
    should(markOf({ type: 'eid-deposit-cancel' }, 'document_read deposit_write')).be.true()
    should(markOf({ type: 'eid-deposit-cancel' }, 'document_read')).equal('deposit_write')
  })

  it('names only what a node cannot do without', () => {
    const page = { type: 'eid-embed', what: 'auto' }
    const cases: [Settings, string, true | string][] = [
      [page, 'document_read document_write', true],
      [page, 'identify', true],
      [page, 'event', 'document_read / identify'],
      [{ type: 'eid-embed' }, 'identify', true],
      [{ ...page, what: 'session' }, 'document_read', 'identify'],
      [{ ...page, what: 'document' }, 'identify', 'document_read'],
      // Without this scope, the node skips the look-up.
      [{ type: 'eid-create-document' }, 'document_write', true],
      [{ type: 'eid-create-document' }, 'document_read', 'document_write'],
      [{ type: 'eid-archive' }, 'document_read', 'document_file'],
      [{ type: 'eid-archive', operation: 'check' }, '', true],
    ]
    for (const [node, scopes, mark] of cases)
      should(markOf(node, scopes)).equal(mark, `${JSON.stringify(node)} ${scopes}`)
  })
})
