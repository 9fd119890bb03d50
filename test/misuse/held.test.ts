/** No message on its way to a node is lost when the node is deployed alone, in a whole Node-RED. */
import should from 'should'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { addNode, linkPackage } from '../support/node-red/user-folder'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'

const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
const place = { z: 'f', x: 100, y: 100 }

describe('messages to a node that is deployed alone', function () {
  const folder = temporaryFolder()
  let red: NodeRedProcess
  after(async () => {
    await red.stop()
    folder.remove()
  })

  /** Nodes that send a number every two milliseconds and write the numbers that arrive behind our node to a file. */
  const code = (arrived: string) => `module.exports = (RED) => {
    RED.nodes.registerType('pulse', function (config) {
      RED.nodes.createNode(this, config)
      let sent = 0
      const timer = setInterval(() => this.send({ depositId: 'd', sent: ++sent }), 2)
      this.on('close', () => clearInterval(timer))
    })
    RED.nodes.registerType('sink', function (config) {
      RED.nodes.createNode(this, config)
      this.on('input', (msg) => require('fs').appendFileSync(${JSON.stringify(arrived)}, msg.sent + '\\n'))
    })
  }`
  const flows = (name: string) => [
    { id: 'f', type: 'tab', label: 'test' },
    { id: 'c', type: 'eid-client' },
    { ...place, id: 'pulse', type: 'pulse', wires: [['n']] },
    {
      ...place,
      id: 'n',
      type: 'eid-deposit-terminate',
      name,
      client: 'c',
      wires: [['sink']],
      category: 'TENANT',
      username: 'ola',
      dryRun: true,
    },
    { ...place, id: 'sink', type: 'sink', wires: [] },
  ]

  it('reach it after the deploy, each once and in their order', async () => {
    const file = join(folder.path, 'arrived.txt')
    linkPackage(folder.path)
    addNode(folder.path, 'pulse', code(file))
    red = await startRuntime(installation, folder.path, flows('first'))
    const arrived = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : [])
    const more = (count: number) => until(() => arrived().length >= count)
    await more(50)
    for (const name of ['second', 'third', 'fourth']) {
      const answer = await fetch(`${red.url}/flows`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': 'nodes' },
        body: JSON.stringify(flows(name)),
      })
      should(answer.ok).be.true()
      await more(arrived().length + 50)
    }
    const numbers = arrived()
    should(numbers.filter((number, at) => number !== at + 1)).be.empty()
  })
})
