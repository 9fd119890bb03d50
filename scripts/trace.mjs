#!/usr/bin/env node
/**
 * Counts the stops of one message: our files whose code runs while it passes through the base of the nodes, before and
 * after the node's own code. `npm run trace` prints them, with the functions that ran in each.
 */
import { createRequire } from 'node:module'
import { Session } from 'node:inspector'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import helper from 'node-red-node-test-helper'

const require = createRequire(import.meta.url)
const dist = resolve(import.meta.dirname, '../dist')
const { apiNode } = require(join(dist, 'lib/runtime/node/api-node.js'))
const { fields } = require(join(dist, 'nodes/deposit-cancel/deposit-cancel.fields.js'))
const client = require(join(dist, 'nodes/client/client.js'))

const session = new Session()
session.connect()

/** Asks the engine, which answers at once. */
function ask(method, params) {
  let answer
  session.post(method, params, (error, result) => {
    if (error) throw error
    answer = result
  })
  return answer
}

/** The functions that ran since the last call, by file. */
function ranSince() {
  const ran = new Map()
  for (const { url, functions } of ask('Profiler.takePreciseCoverage').result) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    if (!path.startsWith(dist)) continue
    // The function that begins at the first character is the module itself, which runs when it is loaded.
    const names = functions.flatMap(({ functionName, ranges: [{ count, startOffset }] }) =>
      count > 0 && startOffset > 0 ? [functionName] : [],
    )
    if (names.length > 0) ran.set(relative(dist, path), [...new Set(names)].filter(Boolean))
  }
  return ran
}

/** Sends two messages through a node like *deposit cancel*, and resolves with what ran around the second. */
export async function trace() {
  helper.init(require.resolve('node-red'))
  ask('Profiler.enable')
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let before
  const node = apiNode('eid-deposit-cancel', fields, ({ values }) => {
    before = ranSince()
    return Promise.resolve({ depositId: values.depositId })
  })
  const flow = [
    { id: 'c', type: 'eid-client', baseUrl: 'http://127.0.0.1:9' },
    { id: 'n', type: 'eid-deposit-cancel', client: 'c', wires: [['out']] },
    { id: 'out', type: 'helper' },
  ]
  const loaded = { c: { clientId: 'i', clientSecret: 's' } }
  await helper.load([client, node], flow, loaded)
  const pass = () =>
    new Promise((passed) => {
      helper.getNode('out').once('input', () => setImmediate(() => passed(ranSince())))
      ranSince()
      helper.getNode('n').receive({ depositId: 'd-1' })
    })
  // The first message loads what is loaded on first use.
  await pass()
  const after = await pass()
  session.disconnect()
  await helper.unload()
  return { before, after }
}

if (import.meta.filename === resolve(process.argv[1] ?? '')) {
  for (const [when, ran] of Object.entries(await trace())) {
    console.log(`${ran.size} files ${when} the node's own code`)
    for (const [path, names] of ran) console.log(`  ${path.replace(/js$/, 'ts').padEnd(48)} ${names.join(' ')}`)
  }
  process.exit(0)
}
