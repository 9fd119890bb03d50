/**
 * Loading the nodes loads neither the simulated service nor the HTTP library: Node-RED's start would wait for them.
 */
import 'should'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../house'

const heavy = ['axios', 'undici', 'form-data', 'find-my-way', '@fastify/busboy']

/** Requires every node and prints the files that this has brought in. */
const program = `
for (const name of ${JSON.stringify(readdirSync(join(root, 'nodes')))}) require('./nodes/' + name + '/' + name)
console.log(JSON.stringify(Object.keys(require.cache)))`

describe('loading the nodes', () => {
  it('leaves what is needed later for later', async function () {
    this.timeout(60_000)
    const args = ['--import', 'tsx', '--input-type=commonjs', '-e', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    const files = (JSON.parse(stdout) as string[]).map((path) => relative(root, path).split(sep).join('/'))
    files.should.containEql('nodes/wait/wait.ts')
    files.filter((path) => path.startsWith('sandbox/')).should.deepEqual([])
    files.filter((path) => heavy.some((name) => path.startsWith(`node_modules/${name}/`))).should.deepEqual([])
  })
})
