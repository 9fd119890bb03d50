/** The examples: each is a readable flow, contains no secret, and runs on the sandbox without changes. */
import { basename, dirname } from 'node:path'
import should from 'should'
import { deployFlows, resetSandbox, startNodeRed, type NodeRed } from './support/node-red/editor'
import {
  crossings,
  framesOutside,
  overlaps,
  ungrouped,
  widthOf,
  wiresToTheLeft,
  wiresUnderNodes,
  type FlowNode,
} from './support/examples/canvas'
import { runs } from './support/examples/example-runs'
import { timesIn } from './support/examples/running-example'
import { createVisitor } from './support/approval-visitor'
import { startLeaseDatabase, type LeaseDatabase } from './support/servers/lease-database'
import { exampleTitles as examples, filesBelow, nodeNames, onCanvas, readExample } from './support/house'
import { temporaryFolder } from './support/temporary-folder'
import { until } from './support/time'

const load = (name: string) => JSON.parse(readExample(name)) as FlowNode[]
const client = { id: 'e1d0c11e47000001', type: 'eid-client', name: 'Sandbox', environment: 'sandbox' }
/** The nodes of the tab and of each subflow. */
const canvasesOf = (flow: readonly FlowNode[]) =>
  flow.filter(({ type }) => type === 'tab' || type === 'subflow').map(({ id }) => flow.filter(({ z }) => z === id))
const core = [
  'tab',
  'group',
  'subflow',
  'comment',
  'inject',
  'debug',
  'catch',
  'link in',
  'link out',
  'function',
  'switch',
  'change',
  'template',
  'delay',
  'split',
  'join',
  'csv',
  'file',
  'http in',
  'http response',
  'http request',
]

describe('examples', () => {
  it('are at most 24', () => {
    should(examples.length).be.belowOrEqual(24)
  })

  it('are in five folders, which are submenus of the editor', () => {
    const folders = filesBelow('examples', '.json').map((path) => basename(dirname(path)))
    const five = ['1 Contracts', '2 Identification', '3 Sharing', '4 Deposits', '5 Running it']
    should([...new Set(folders)].sort()).deepEqual(five)
  })

  it('begin each of the five jobs with forms only: no JSON, no JSONata, no function, no template', () => {
    const jobs = [
      'My first contract',
      'Identify a person',
      'Share a file',
      'Cancel or release a deposit',
      'Split a deposit',
    ]
    const written = ['json', 'jsonata', 'jsonata_exp']
    for (const name of jobs) {
      const flow = load(name)
      should(flow.filter(({ type }) => ['function', 'template'].includes(type))).be.empty()
      const texts = JSON.stringify(flow).match(/"(?:\w*[tT]ype|vt|tot|t)":"\w+"/g) ?? []
      should(texts.filter((one) => written.some((type) => one.endsWith(`"${type}"`)))).deepEqual([], name)
    }
  })

  for (const name of examples) {
    describe(name, () => {
      const flow = load(name)

      it('does nothing by itself at a deploy', () => {
        const starting = flow.filter(({ type, once }) => type === 'inject' && once === true)
        should(starting.map(({ id }) => id)).deepEqual([])
      })

      it('is one tab that says what it shows', () => {
        should(flow.filter(({ type }) => type === 'tab')).have.length(1)
        const [comment] = flow.filter(({ type }) => type === 'comment')
        should(comment?.info?.length ?? 0).be.above(200)
        should(comment?.info).match(/For the real service/)
      })

      it('has a name and addresses that fit where the editor shows them', () => {
        const [tab] = flow.filter(({ type }) => type === 'tab') as { label?: string; info?: string }[]
        should(tab?.label?.length ?? 0).be.within(1, 26)
        const code = [...(tab?.info ?? '').matchAll(/`([^`\n]+)`/g)].map(([, words = '']) => words)
        should(code.flatMap((words) => words.split(' ')).filter((word) => word.length > 33)).be.empty()
      })

      it('uses core nodes and ours, all named, with the shared client and no secret', () => {
        const known = [...core, ...nodeNames.map((one) => `eid-${one}`)]
        const types = flow.map(({ type }) => type).filter((type) => !type.startsWith('subflow:'))
        should(types.filter((type) => !known.includes(type))).be.empty()
        should(flow.filter((node) => node.type !== 'tab' && !node.name)).be.empty()
        const [first, ...further] = flow.filter(({ type }) => type === 'eid-client')
        should(first).deepEqual(client)
        for (const one of further) should(one).have.only.keys('id', 'type', 'name', 'environment')
        const ours = flow.filter((node) => node.type.startsWith('eid-') && node.type !== 'eid-client')
        // These nodes make no calls; in "pending", the client is only a filter.
        const asking = ours.filter(
          ({ type }) => !['eid-batch', 'eid-pending', 'eid-overview', 'eid-alerts'].includes(type),
        )
        should(asking.filter((node) => node.client !== client.id && !/^\$\{\w+\}$/.test(node.client ?? ''))).be.empty()
        // A reference to an environment variable is not a secret.
        const secrets = flow.flatMap(({ credentials = {} }) => Object.values(credentials))
        should(secrets.filter((one) => !/^\$\{\w+\}$/.test(one))).be.empty()
      })

      it('is drawn from left to right, nothing crossing or covered', () => {
        for (const canvas of canvasesOf(flow)) {
          should(overlaps(canvas)).be.empty()
          should(wiresToTheLeft(canvas)).be.empty()
          should(crossings(canvas)).be.empty()
          should(wiresUnderNodes(canvas)).be.empty()
        }
      })

      it('fits a window of 1,280 pixels, in groups with names, no two nodes called alike', () => {
        for (const canvas of canvasesOf(flow)) {
          should(widthOf(canvas)).be.belowOrEqual(900)
          should(ungrouped(canvas)).be.empty()
          should(framesOutside(canvas)).be.empty()
          const names = canvas.map(({ name }) => name)
          should(names.filter((one, index) => names.indexOf(one) !== index)).be.empty()
        }
      })

      it('gives no node a name that looks like an address and is another one', () => {
        const nodes = flow.filter(({ type }) => type === 'http in')
        const looksLikeAddress = nodes.filter(({ name }) => String(name ?? '').includes('/'))
        should(looksLikeAddress.filter(({ name, url }) => name !== url)).be.empty()
      })

      it('explains itself in its description, as the comment on the canvas does', () => {
        const [tab, comment] = ['tab', 'comment'].map((type) => flow.find((node) => node.type === type))
        should(tab?.info).equal(`${comment?.name}\n\n${comment?.info}`)
      })

      it('calls nodes in bold by the names that they have on the canvas', () => {
        const plain = (words: string) => words.replace(/^→ | →$/g, '')
        const names = new Set(flow.flatMap(({ name }) => (name === undefined ? [] : [plain(name)])))
        const info = String(flow.find(({ type }) => type === 'tab')?.info)
        const bold = [...info.matchAll(/\*\*(.+?)\*\*/g)].map(([, words = '']) => words)
        should(bold.filter((words) => !names.has(words))).be.empty()
      })
    })
  }

  it('share no id but the client, so that all of them can be imported', () => {
    const ids = examples.flatMap((name) => load(name).map(({ id }) => id)).filter((id) => id !== client.id)
    should(ids.filter((id, index) => ids.indexOf(id) !== index)).be.empty()
  })

  it('show visitors of the signing page no internal errors', () => {
    const pages = load('Signing in our own page').map((node) => String((node as { template?: unknown }).template ?? ''))
    should(pages.filter((page) => page.includes('It did not work') && page.includes('error.message'))).be.empty()
  })

  it('show every node', () => {
    const shown = new Set(examples.flatMap((name) => load(name).map(({ type }) => type)))
    const hidden = onCanvas.filter((name) => !shown.has(`eid-${name}`))
    should(hidden).be.empty()
  })

  describe('on the sandbox', () => {
    let red: NodeRed
    let leases: LeaseDatabase
    const files = temporaryFolder()

    before(async () => {
      leases = await startLeaseDatabase()
      red = await startNodeRed({ settings: { fileWorkingDirectory: files.path }, modules: ['pg'] })
    })
    after(async () => {
      await red.stop()
      await leases.stop()
      files.remove()
    })

    it('let a second person alone approve a split, once', async () => {
      const flow = load('Split a deposit')
      await resetSandbox(red)
      await deploy(red, flow)
      const start = red.output().length
      await ask(red, `/inject/${idOf(flow, 'propose')}`)
      const page = await until(() => /\[debug:e-mail to Per\].* (http\S+)/.exec(red.output().slice(start))?.[1])
      const stranger = createVisitor()
      const per = createVisitor()
      should((await stranger.view(page, 'answer', { answer: 'approve' })).state).not.equal('answered')
      should((await per.identifyAt(page, { person: '0' })).state).equal('identified')
      should(red.output().slice(start)).not.containEql('[debug:sent]')
      const answers = [1, 2].map(() => per.view(page, 'answer', { answer: 'approve' }))
      await Promise.all(answers)
      await spoken(red, start, 'sent')
      await ask(red, `/inject/${idOf(flow, 'propose')}`)
      await spoken(red, red.output().length, 'e-mail to Per')
      should(
        red
          .output()
          .slice(start)
          .match(/\[debug:sent\]/g),
      ).have.length(1)
    })

    it('answer another program: one contract for its key, and its status', async () => {
      await resetSandbox(red)
      await deployFlows(red, at(red, load('Signing as a service')))
      const address = `${red.url}/eid-example/contracts`
      const headers = { 'Content-Type': 'application/json' }
      const signers = [{ firstName: 'Kari', lastName: 'Nordmann', email: 'kari.nordmann@example.com' }]
      const order = { key: 'order-2001', title: 'Lease', fileName: 'lease.txt', file: 'QUJD', signers }
      const post = async (body: object): Promise<[status: number, body: Record<string, unknown>]> => {
        const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
        return [answer.status, (await answer.json()) as Record<string, unknown>]
      }
      const both = await Promise.all([post(order), post(order)])
      should(both.map(([status]) => status)).deepEqual([202, 202])
      should(both[1][1].id).equal(both[0][1].id)
      const [refused, { error, outcome }] = await post({ ...order, key: 'order-2002', title: '' })
      should([refused, outcome]).deepEqual([400, 'not-done'])
      should(error).match(/^Title \({title}\) is missing\./)
      should((await post({ ...order, title: 'Another lease' }))[0]).equal(409)
      const stands = async (id: unknown) => {
        const answer = await fetch(`${address}/${String(id)}`)
        return [answer.status, ((await answer.json()) as { status?: string }).status]
      }
      await until(async () => (await stands(both[0][1].id))[1] === 'signed')
      should(await stands('00000000-0000-4000-8000-000000000000')).deepEqual([404, undefined])
    })

    for (const name of examples) {
      it(`${name} runs as it is`, async () => {
        const flow = load(name)
        await resetSandbox(red)
        const start = red.output().length
        await deploy(red, at(red, leases.at(flow)))
        for (const { press, speak } of runs[name] ?? []) {
          // Nodes that start by themselves may have printed since the deploy.
          const since = press.length === 0 ? start : red.output().length
          for (const button of press) await ask(red, `/inject/${idOf(flow, button)}`)
          for (const debug of speak) await spoken(red, since, debug, speak.filter((one) => one === debug).length)
        }
        should(runs).have.property(name)
        const said = red.output().slice(start)
        should(said).not.match(/\[error\]/)
        should(said).not.match(/\[debug:(tour: )?problem\]/)
      })
    }
  })
})

/** Replaces all flows with these nodes; debug nodes print to the console, so that the test can read them. */
async function deploy(red: NodeRed, nodes: readonly FlowNode[]): Promise<void> {
  const printing = nodes.map((node) => (node.type === 'debug' ? { ...node, console: true } : node))
  await deployFlows(red, printing)
}

/** The example without changes, except for the address of this Node-RED. */
function at(red: NodeRed, flow: readonly FlowNode[]): FlowNode[] {
  return JSON.parse(JSON.stringify(flow).replaceAll('http://127.0.0.1:1880', red.url)) as FlowNode[]
}

async function ask(red: NodeRed, path: string, body?: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'full' }
  const answer = await fetch(red.url + path, { method: 'POST', headers, body: body && JSON.stringify(body) })
  should(answer.ok).equal(true, `${path}: ${answer.status}`)
}

function idOf(flow: readonly FlowNode[], inject: string): string {
  const found = flow.find(({ type, name }) => type === 'inject' && name === inject)
  if (!found) throw new Error(`there is no button "${inject}"`)
  return found.id
}

/** Waits until a debug node has printed this many times. */
async function spoken(red: NodeRed, since: number, debug: string, times = 1): Promise<void> {
  const has = () => timesIn(red.output().slice(since), debug) >= times
  await until(has).catch(() => {
    throw new Error(`"${debug}" was not heard:\n${red.output().slice(since)}`)
  })
}
