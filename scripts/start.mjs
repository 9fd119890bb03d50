/**
 * `npm start`: installs, builds, starts Node-RED with the package, the sandbox and the tour, prints what the tour did,
 * and stays up.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { install, root } from './install.mjs'

install()
const { build } = await import('./build.mjs')
build()

const userDir = join(root, '.cache', 'node-red')
const flowFile = join(userDir, 'flows.json')
prepareUserDir()
const port = await freePort(1880)
const sandboxPort = await freePort(18499)
const redMain = join(root, 'node_modules', 'node-red', 'red.js')
console.log('Start: Node-RED with the tour. Nothing in the sandbox is real, signed or sent.\n')
const red = spawn(process.execPath, [redMain, '--userDir', userDir, '--settings', join(userDir, 'settings.js')], {
  env: { ...process.env, EID_SANDBOX_PORT: String(sandboxPort), EID_START_PORT: String(port) },
  stdio: ['ignore', 'inherit', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => red.kill('SIGTERM'))
red.on('exit', (code) => process.exit(code ?? 0))

/** A Node-RED of its own inside the project, so that nobody's own flows are touched. Flows changed here are kept. */
function prepareUserDir() {
  const scope = join(userDir, 'node_modules', '@eid-flows')
  mkdirSync(scope, { recursive: true })
  const link = join(scope, 'node-red-eid')
  rmSync(link, { force: true, recursive: true })
  symlinkSync(root, link, 'junction')
  const manifest = { name: 'eid-tour', private: true, dependencies: { '@eid-flows/node-red-eid': '*' } }
  writeFileSync(join(userDir, 'package.json'), JSON.stringify(manifest))
  cpSync(join(root, 'scripts', 'start-settings.cjs'), join(userDir, 'settings.js'))
  if (!existsSync(flowFile)) writeFileSync(flowFile, readFileSync(join(root, 'examples', '01-tour.json')))
}

/** `wanted` when it is free on this machine, otherwise any free port. */
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
