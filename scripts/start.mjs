/**
 * `npm start`: installs, builds, starts Node-RED with the package, the sandbox and the tour, presses the tour's button,
 * prints what it did, and keeps running. `npm start -- --port 1881` chooses the port, `--folder` the user folder.
 */
import { spawn } from 'node:child_process'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install, root } from './install.mjs'

install()
const { build } = await import('./build.mjs')
build()

const { values } = parseArgs({ options: { port: { type: 'string' }, folder: { type: 'string' } } })
const userDir = values.folder ?? join(root, '.cache', 'node-red')
const flowFile = join(userDir, 'flows.json')
const runningFile = join(userDir, 'running.json')
await refuseSecond()
const wanted = Number(values.port ?? 1880)
const port = await freePort(wanted)
const sandboxPort = await freePort(18499)
prepareUserDir()
const redMain = join(root, 'node_modules', 'node-red', 'red.js')
console.log('Start: Node-RED with the tour. Nothing in the sandbox is real, signed or sent.\n')
if (wanted > 0 && port !== wanted)
  console.log(`Port ${wanted} is taken, so it is ${port}. Another one: npm start -- --port 1881\n`)
const red = spawn(process.execPath, [redMain, '--userDir', userDir, '--settings', join(userDir, 'settings.js')], {
  env: { ...process.env, EID_SANDBOX_PORT: String(sandboxPort), EID_START_PORT: String(port) },
  stdio: ['ignore', 'inherit', 'inherit'],
})
writeFileSync(runningFile, JSON.stringify({ pid: red.pid, port }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => red.kill('SIGTERM'))
red.on('exit', (code) => {
  rmSync(runningFile, { force: true })
  process.exit(code ?? 0)
})
await pressTour()

/**
 * Exits if a Node-RED is already running on this user folder, because both would send the pending messages. A killed
 * Node-RED leaves `runningFile` behind, so its process and its address are checked too.
 */
async function refuseSecond() {
  if (!existsSync(runningFile)) return
  const { pid, port } = JSON.parse(readFileSync(runningFile, 'utf8'))
  try {
    process.kill(pid, 0)
    await fetch(`http://127.0.0.1:${port}/`)
  } catch {
    return
  }
  console.log(`Node-RED is running already in ${userDir}: http://127.0.0.1:${port}/`)
  console.log('Stop it first (Ctrl-C where it was started), or choose another folder: npm start -- --folder <folder>')
  process.exit(1)
}

/**
 * Prepares a separate user folder inside the project, so that the user's own flows are not touched. Flows that are
 * changed in this folder are kept.
 */
function prepareUserDir() {
  const scope = join(userDir, 'node_modules', '@eid-flows')
  mkdirSync(scope, { recursive: true })
  const link = join(scope, 'node-red-eid')
  rmSync(link, { force: true, recursive: true })
  symlinkSync(root, link, 'junction')
  const manifest = { name: 'eid-tour', private: true, dependencies: { '@eid-flows/node-red-eid': '*' } }
  writeFileSync(join(userDir, 'package.json'), JSON.stringify(manifest))
  cpSync(join(root, 'scripts', 'start-settings.cjs'), join(userDir, 'settings.js'))
  if (existsSync(flowFile)) return
  writeFileSync(flowFile, JSON.stringify(firstFlows()))
  writeFileSync(join(userDir, 'flows_cred.json'), noCredentials())
}

/**
 * The flows of the first start: the tour and, in a tab of its own, the first contract. Both examples contain the same
 * client, which may be in the flows only once.
 */
function firstFlows() {
  const examples = ['5 Running it/1 Tour', '1 Contracts/1 My first contract'].flatMap((name) => {
    const text = readFileSync(join(root, 'examples', `${name}.json`), 'utf8')
    return JSON.parse(text.replaceAll('http://127.0.0.1:1880', `http://127.0.0.1:${port}`))
  })
  return examples.filter(({ id }, index) => examples.findIndex((one) => one.id === id) === index)
}

/**
 * An empty list of credentials, encrypted in Node-RED's own format, because Node-RED warns if it finds no encrypted
 * credentials.
 */
function noCredentials() {
  const { credentialSecret } = createRequire(import.meta.url)('./start-settings.cjs')
  const start = randomBytes(16)
  const cipher = createCipheriv('aes-256-ctr', createHash('sha256').update(credentialSecret).digest(), start)
  return JSON.stringify({ $: start.toString('hex') + cipher.update('{}', 'utf8', 'base64') + cipher.final('base64') })
}

/**
 * Presses the tour's button as soon as Node-RED has it. If the user has deleted the tour, or has switched its client to
 * the live service, only prints where the editor is.
 */
async function pressTour() {
  const flows = JSON.parse(readFileSync(flowFile, 'utf8'))
  const tour = flows.find(({ name }) => name === 'run the tour')
  const clients = new Set(flows.filter(({ z }) => z === tour?.z).map(({ client }) => client))
  const isReal = flows.some(({ id, environment }) => clients.has(id) && environment !== 'sandbox')
  if (isReal) console.log('The tour is not run: its client is no longer one of the sandbox.\n')
  const button = isReal ? undefined : tour
  const press = () => fetch(`http://127.0.0.1:${port}/inject/${button?.id}`, { method: 'POST' }).catch(() => undefined)
  for (;;) {
    const answer = await press()
    if (answer?.ok) return
    if (answer && !button) break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  console.log(`Editor: http://127.0.0.1:${port}/`)
}

/** The port `wanted` if it is free on this machine, otherwise any free port. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', () => (wanted === 0 ? reject(new Error('no free port')) : resolve(freePort(0))))
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
