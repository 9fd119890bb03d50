/**
 * Starts a Node-RED in the given user directory and prints the milliseconds until its flows run: `load.mjs node-red
 * userDir`.
 */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const [nodeRed, userDir] = process.argv.slice(2)
const start = performance.now()
const red = createRequire(import.meta.url)(nodeRed)
red.init(createServer(), {
  userDir,
  flowFile: 'flows.json',
  httpAdminRoot: '/admin',
  httpNodeRoot: '/',
  credentialSecret: 'bench',
  telemetry: { enabled: false },
  logging: { console: { level: 'fatal' } },
})
const required = performance.now()
const running = new Promise((resolve) => red.events.once('flows:started', resolve))
await red.start()
await running
const end = performance.now()
const types = red.runtime.nodes ? (await red.runtime.nodes.getNodeList({})).flatMap((set) => set.types) : []
const found = types.filter((type) => type.startsWith('eid-')).length
const { user, system } = process.cpuUsage()
const times = { required: required - start, started: end - required, total: end - start }
console.log(JSON.stringify({ ...times, cpu: (user + system) / 1000, found }))
process.exit(0)
