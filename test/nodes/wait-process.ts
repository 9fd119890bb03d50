/** A Node-RED of its own with a file context store and one "wait" node, for the tests that kill it. Talks to its parent by messages. */
import helper from 'node-red-node-test-helper'
import { dirname, join } from 'node:path'
import client from '../../nodes/client/client'
import wait from '../../nodes/wait/wait'

/** What the parent starts it with. */
export interface WaitProcess {
  readonly url: string
  readonly userDir: string
}

/** What the parent sends: documents to wait for. What it gets: `ready`, then one for every wait that ended. */
export type FromParent = { readonly documentIds: readonly string[] }
export type ToParent =
  { readonly ready: true } | { readonly ended: string; readonly output: number; readonly note: unknown }

const { url, userDir } = JSON.parse(process.argv[2] ?? '{}') as WaitProcess
const runtime = join(dirname(require.resolve('node-red')), '../../@node-red/runtime/lib/nodes/index.js')

async function main(): Promise<void> {
  const { default: nodes } = (await import(runtime)) as { default: { loadContextsPlugin(): Promise<void> } }
  helper.init(require.resolve('node-red'))
  const contextStorage = { files: { module: 'localfilesystem', config: { dir: userDir, cache: false } } }
  helper.settings({ userDir, contextStorage })
  const outputs = [0, 1, 2].map((output) => ({ id: `out${output}`, z: 'f', type: 'helper', x: 1, y: 1 }))
  const flow = [
    { id: 'f', type: 'tab', label: 'test' },
    { id: 'c', type: 'eid-client', retries: 0, baseUrl: url },
    {
      id: 'n',
      z: 'f',
      type: 'eid-wait',
      client: 'c',
      pollInterval: '1',
      store: 'files',
      x: 1,
      y: 1,
      wires: outputs.map(({ id }) => [id]),
    },
    ...outputs,
  ]
  await helper.load([client, wait, () => nodes.loadContextsPlugin()], flow)
  for (const [output, { id }] of outputs.entries()) {
    helper.getNode(id)?.on('input', (msg: Record<string, unknown>) => {
      process.send?.({ ended: String(msg.documentId), output, note: msg.note } satisfies ToParent)
    })
  }
  process.on('message', ({ documentIds }: FromParent) => {
    for (const documentId of documentIds) helper.getNode('n')?.receive({ documentId, note: { for: documentId } })
  })
  process.send?.({ ready: true } satisfies ToParent)
}

void main()
