/**
 * The packed package, installed the way the palette manager installs it, in the Node-RED versions that people use.
 *
 * @rest
 */
import should from 'should'
import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { filesBelow, nodeNames, onCanvas, read } from '../support/house'
import {
  installPacked,
  installRuntime,
  pack,
  startRuntime,
  type Installation,
  type NodeRedProcess,
} from '../support/node-red/installed'
import { temporaryFolder } from '../support/temporary-folder'

const types = nodeNames.map((name) => `eid-${name}`)
/** The oldest versions that the package supports, the newest ones, and the most common ones between them. */
const versions = [
  { nodeRed: '4.0', node: '20.18.1' },
  { nodeRed: '4.1', node: '22' },
  { nodeRed: '5', node: '24' },
  { nodeRed: '5', node: '26' },
]

/** A node of each kind as it is when a user drops it on the canvas. */
const dropped = onCanvas.map((name) => ({ id: name, z: 'f', type: `eid-${name}`, client: 'c', x: 1, y: 1, wires: [] }))

/**
 * A flow that runs "create document" on the sandbox for each HTTP call, and answers with the properties it put on the
 * message.
 */
const flows = [
  { id: 'f', type: 'tab', label: 'package' },
  { id: 'c', type: 'eid-client' },
  { id: 'in', z: 'f', type: 'http in', url: '/run', method: 'post', wires: [['create']] },
  { id: 'create', z: 'f', type: 'eid-create-document', client: 'c', wires: [['pick']] },
  {
    id: 'pick',
    z: 'f',
    type: 'change',
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'documentId', tot: 'msg' }],
    wires: [['out']],
  },
  { id: 'out', z: 'f', type: 'http response', wires: [] },
  { id: 'catch', z: 'f', type: 'catch', wires: [['why']] },
  {
    id: 'why',
    z: 'f',
    type: 'change',
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'error', tot: 'msg' }],
    wires: [['out']],
  },
]

const document = {
  title: 'Packed',
  externalId: 'packed-1',
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    },
  ],
}

interface Installed {
  readonly runtime: Installation
  readonly userDir: ReturnType<typeof temporaryFolder>
}

async function install(runtime: Installation, packed: ReturnType<typeof pack>): Promise<Installed> {
  const userDir = temporaryFolder()
  await installPacked(runtime, userDir.path, (await packed).tarball)
  return { runtime, userDir }
}

describe('the package', () => {
  const folder = temporaryFolder()
  // All at once, because most of the time goes into waiting for files and for the registry.
  let ready: Promise<readonly Installed[]>
  before(() => {
    const packed = pack(folder.path)
    ready = Promise.all(versions.map(async ({ nodeRed, node }) => install(await installRuntime(nodeRed, node), packed)))
    ready.catch(() => undefined)
  })
  after(() => folder.remove())

  for (const [place, { nodeRed, node }] of versions.entries()) {
    describe(`in Node-RED ${nodeRed} on Node.js ${node}`, () => {
      let installed: Installed
      let red: NodeRedProcess
      const json = async (path: string, headers: Record<string, string> = { Accept: 'application/json' }) =>
        (await (await fetch(red.url + path, { headers })).json()) as Record<string, unknown>

      before(async () => {
        installed = (await ready)[place] as Installed
        red = await startRuntime(installed.runtime, installed.userDir.path, [...flows, ...dropped])
      })
      after(async () => {
        await red?.stop()
        installed?.userDir.remove()
      })

      it('loads every node', async () => {
        const sets = (await json('/nodes')) as unknown as {
          types: string[]
          module: string
          err?: string
          enabled: boolean
        }[]
        const ours = sets.filter((set) => set.module === '@eid-flows/node-red-eid')
        should(ours.filter((set) => set.err || !set.enabled)).deepEqual([])
        should(ours.flatMap((set) => set.types).sort()).deepEqual([...types].sort())
      })

      it('holds what was built, as it was built', () => {
        const folder = join(installed.userDir.path, 'node_modules/@eid-flows/node-red-eid')
        const built = filesBelow('dist').filter((path) => basename(path) !== '.stamp')
        should(built.filter((path) => readFileSync(join(folder, path), 'utf8') !== read(path))).deepEqual([])
      })

      it('starts a node of each kind', () => {
        should(red.output()).not.match(/uncaught|unhandled|deprecat|TypeError|ReferenceError/i)
      })

      it('loads the tab of the sidebar, with its texts in both languages and its list', async () => {
        const plugins = (await json('/plugins')) as unknown as { id: string; plugins: { id: string }[]; err?: string }[]
        const ours = plugins.find(({ id }) => id === '@eid-flows/node-red-eid/sidebar')
        should(ours).have.property('enabled', true)
        should(ours?.err).be.undefined()
        should(ours?.plugins.map(({ id }) => id)).deepEqual(['eid-sidebar'])
        const html = await (await fetch(`${red.url}/plugins`, { headers: { Accept: 'text/html' } })).text()
        should(html).containEql('"eid-sidebar"')
        for (const [language, label] of [
          ['en-US', 'Waiting'],
          ['nb-NO', 'Venter'],
        ] as const) {
          const texts = await json(`/plugins/messages?lng=${language}`)
          should(texts['@eid-flows/node-red-eid/sidebar']).have.propertyByPath('sections', 'waiting').equal(label)
        }
        should(await json('/eid/sidebar')).have.properties('waiting', 'troubles', 'batches', 'clients')
      })

      it('runs a flow', async () => {
        const answer = await fetch(`${red.url}/run`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(document),
        })
        should(await answer.text()).match(/^[\da-f-]{36}$/)
      })

      it('serves texts and help in English and Norwegian', async () => {
        for (const [language, label, folder] of [
          ['en-US', 'create document', 'en-US'],
          ['nb-NO', 'opprett dokument', 'nb'],
        ] as const) {
          const texts = await json(`/nodes/messages?lng=${language}`)
          should(texts['@eid-flows/node-red-eid/create-document']).have.property('label', label)
          const headers = { Accept: 'text/html', 'Accept-Language': language }
          // The build writes the colons of sentences as entities.
          const html = (await (await fetch(`${red.url}/nodes`, { headers })).text()).replaceAll('&#58;', ':')
          const helpless = nodeNames.filter((name) => {
            const [firstLine = ''] = read('locales', folder, `${name}.md`).split('\n')
            return !html.includes(`data-help-name="eid-${name}">\n${firstLine}\n`)
          })
          should(helpless).deepEqual([])
        }
      })

      it('serves every icon and lists the examples', async () => {
        for (const name of nodeNames) {
          const icon = await fetch(`${red.url}/icons/@eid-flows/node-red-eid/${name}.svg`)
          should(icon.headers.get('content-type')).match(/svg/)
          should(await icon.text()).containEql('<svg')
        }
        for (const path of filesBelow('examples', '.json')) {
          const place = relative('examples', path)
            .replaceAll('\\', '/')
            .replace(/\.json$/, '')
          const example = await json(`/library/examples/flows/@eid-flows/node-red-eid/${encodeURI(place)}`)
          should(example).deepEqual(JSON.parse(read(path)))
        }
      })

      it('keeps the other nodes working when one of them is broken', async () => {
        await red.stop()
        const broken = join(
          installed.userDir.path,
          'node_modules/@eid-flows/node-red-eid/dist/nodes/document/document.js',
        )
        appendFileSync(broken, '\nthrow new Error("broken on purpose")\n')
        red = await startRuntime(installed.runtime, installed.userDir.path, flows)
        const sets = (await json('/nodes')) as unknown as { name: string; module: string; err?: string }[]
        const bad = sets.filter((set) => set.module === '@eid-flows/node-red-eid' && set.err).map((set) => set.name)
        should(bad).deepEqual(['document'])
        const again = JSON.stringify({ ...document, externalId: 'packed-2' })
        const headers = { 'Content-Type': 'application/json' }
        const answer = await fetch(`${red.url}/run`, { method: 'POST', headers, body: again })
        should(await answer.text()).match(/^[\da-f-]{36}$/)
      })
    })
  }
})
