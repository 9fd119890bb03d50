/**
 * One example in a Node-RED of its own: presses its buttons, reads its debug output, and counts the documents at the
 * service.
 */
import should from 'should'
import type { FlowNode } from './canvas'
import { readExample } from '../house'
import { deployFlows, resetSandbox, startNodeRed, type NodeRed } from '../node-red/editor'
import { temporaryFolder } from '../temporary-folder'
import { until } from '../time'

export interface RunningExample {
  readonly red: NodeRed
  /** Where the example keeps its files. */
  readonly folder: string
  /** Presses a button; if `heard` is given, waits until the debug node of this name has printed. */
  press(button: string, heard?: string): Promise<void>
  /** How often the debug node of this name has printed. */
  times(debug: string): number
  /** Titles of the documents that the service has. */
  titles(): Promise<readonly string[]>
  /**
   * Deploys the example again; `others` are changed properties by the name of the node, `more` are additional nodes on
   * the example's tab.
   */
  deploy(others?: Readonly<Record<string, object>>, more?: readonly object[]): Promise<void>
  stop(): Promise<void>
}

/**
 * How often the debug node of this name has printed. The progress messages of a list, which come out at the same
 * output as the list's report, are not counted.
 */
export function timesIn(output: string, debug: string): number {
  const progress = String.raw`(?! *\n\{ id: [^\n]*, total: \d+, done: \d+, failed: \d+ \})`
  return [...output.matchAll(new RegExp(`\\[debug:${debug}\\]${progress}`, 'g'))].length
}

/** Starts an example. `adapt` replaces the addresses in the example with those of the test. */
export async function runExample(
  name: string,
  adapt: (flow: readonly FlowNode[]) => readonly FlowNode[] = (flow) => flow,
): Promise<RunningExample> {
  const flow = adapt(JSON.parse(readExample(name)) as FlowNode[])
  const files = temporaryFolder()
  const red = await startNodeRed({ modules: ['pg'], settings: { fileWorkingDirectory: files.path } })
  const z = flow[0]?.id
  const list = { type: 'eid-document', client: 'e1d0c11e47000001', operation: 'list', limit: '100', limitType: 'num' }
  const asking = [
    { id: 'asked', z, type: 'http in', url: '/documents', method: 'get', wires: [['listed']] },
    { id: 'listed', z, ...list, wires: [['answered']] },
    { id: 'answered', z, type: 'http response', wires: [] },
  ]
  const times = (debug: string) => timesIn(red.output(), debug)
  const deploy: RunningExample['deploy'] = async (others = {}, more = []) => {
    const heard = flow.map((node) => ({
      ...node,
      ...(node.type === 'debug' && { console: true }),
      ...others[node.name ?? ''],
    }))
    await deployFlows(red, [...heard, ...asking, ...more.map((node) => ({ z, ...node }))])
  }
  await resetSandbox(red)
  await deploy()
  return {
    red,
    folder: files.path,
    times,
    deploy,
    async press(button, heard) {
      const before = heard === undefined ? 0 : times(heard)
      const id = flow.find((node) => node.type === 'inject' && node.name === button)?.id ?? button
      should((await fetch(`${red.url}/inject/${id}`, { method: 'POST' })).status).equal(200)
      if (heard !== undefined) await until(() => times(heard) > before)
    },
    async titles() {
      const { data } = (await (await fetch(`${red.url}/documents`)).json()) as { data: { title: string }[] }
      return data.map(({ title }) => title).sort()
    },
    async stop() {
      await red.stop()
      files.remove()
    },
  }
}
