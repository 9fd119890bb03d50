/** The tour: it runs only when its button is pressed, once by `npm start`, and with its own deposits. @rest */
import should from 'should'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exampleFile, readExample, root } from './support/house'
import { startRuntime, type NodeRedProcess } from './support/node-red/installed'
import { temporaryFolder } from './support/temporary-folder'
import { until } from './support/time'
import { linkPackage } from './support/node-red/user-folder'

type Node = { id: string; type: string; name?: string; once?: boolean; repeat?: string }

const load = (name: string) => JSON.parse(readExample(name)) as Node[]

describe('the tour', () => {
  let red: NodeRedProcess
  const folder = temporaryFolder()
  const tour = load('Tour')
  const deposits = load('Cancel or release a deposit').map((node) =>
    node.type === 'debug' ? { ...node, console: true } : node,
  )
  const flows = [...tour, ...deposits.filter(({ type }) => type !== 'eid-client')]
  const said = (name: string) => red.output().split(`[debug:${name}]`).length - 1
  const press = async (name: string) => {
    const button = flows.find((node) => node.type === 'inject' && node.name === name)
    return (await fetch(`${red.url}/inject/${button?.id}`, { method: 'POST' })).status === 200
  }

  before(async () => {
    linkPackage(folder.path)
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flows, { fileWorkingDirectory: folder.path })
  })
  after(async () => {
    await red.stop()
    folder.remove()
  })

  it('runs by its button, and never by itself', async () => {
    should(tour.filter(({ type, once, repeat }) => type === 'inject' && (once || repeat))).be.empty()
    await press('run the tour')
    await until(() => said('tour: end') === 1)
    should(said('tour: created')).equal(1)
  })

  it('leaves the deposits of the other examples as they are', async () => {
    await press('ask: not fully paid in')
    await press('ask: fully paid in')
    await until(() => said('can be canceled') === 1 && said('can be released') === 1)
    should(said('ended already')).equal(0)
  })

  it('says everything under a name of its own', () => {
    const names = tour.filter(({ type }) => type === 'debug').map(({ name = '' }) => name)
    should(names.filter((name) => !name.startsWith('tour: '))).be.empty()
  })

  it('is run once by `npm start`, which prints what it did and where to look, and no warning', async () => {
    const printed = await npmStart(/Editor: +http:\/\/127\.0\.0\.1:\d+\/\nControl room: http/)
    should(printed.match(/Contract created for 2 signers/g)).have.length(1)
    should(printed).not.match(/warn|deprecat/i)
  })

  it('is not run by `npm start` when its client has been switched to the live service', async () => {
    const live = { environment: 'live', baseUrl: 'http://127.0.0.1:1', tokenUrl: 'http://127.0.0.1:1' }
    const changed = tour.map((node) => (node.type === 'eid-client' ? { ...node, ...live } : node))
    const printed = await npmStart(/Editor: +http:\/\/127\.0\.0\.1:\d+\//, changed)
    should(printed)
      .match(/The tour is not run/)
      .and.not.match(/Contract created|EID_/)
  })

  it('has the first contract beside the tour, and examples that name the address of this Node-RED', async () => {
    const looked: { tabs?: unknown[]; example?: string; url?: string } = {}
    await npmStart(/Editor: +http:\/\/127\.0\.0\.1:\d+\/\nControl room: http/, undefined, async (printed) => {
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+(?=\/\nControl room)/.exec(printed) ?? []
      const flows = (await (await fetch(`${url}/flows`)).json()) as { type: string; label?: string; id: string }[]
      const place = exampleFile('Identify a person').replace(/^examples.|\.json$/g, '')
      const path = `/library/examples/flows/@eid-flows/node-red-eid/${encodeURI(place)}`
      looked.url = url
      looked.tabs = flows.filter(({ type }) => type === 'tab').map(({ label }) => label)
      looked.example = await (await fetch(url + path)).text()
    })
    should(looked.tabs).have.length(2)
    should(looked.example?.includes(`"value": "${looked.url ?? ''}"`)).be.true()
    should(looked.example?.includes('127.0.0.1:1880')).be.false()
  })

  it('is started once in a folder: a second `npm start` says where the first is, and ends', async () => {
    await npmStart(/Editor: +http:\/\/127\.0\.0\.1:\d+\//, undefined, async (_printed, folder) => {
      const second = spawn(process.execPath, ['scripts/start.mjs', '--folder', folder, '--port', '0'], { cwd: root })
      let printed = ''
      second.stdout.on('data', (data) => (printed += String(data)))
      const [code] = (await once(second, 'exit')) as [number]
      should(code).equal(1)
      should(printed).match(/running already in .*: http:\/\/127\.0\.0\.1:\d+\//)
    })
  })

  /**
   * Runs `npm start` in a folder of its own, with these flows if given, until it has printed `words`; returns
   * everything that it printed.
   */
  async function npmStart(
    words: RegExp,
    flows?: readonly Node[],
    look?: (printed: string, folder: string) => Promise<void>,
  ): Promise<string> {
    const own = temporaryFolder()
    if (flows) writeFileSync(join(own.path, 'flows.json'), JSON.stringify(flows))
    const args = ['scripts/start.mjs', '--folder', own.path, '--port', '0']
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += String(data)))
    try {
      await until(() => words.test(printed))
      await look?.(printed, own.path)
      return printed
    } finally {
      child.kill('SIGTERM')
      await once(child, 'exit')
      own.remove()
    }
  }
})
