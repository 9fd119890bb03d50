/**
 * Loading the nodes does not load the simulated service or the HTTP library, which would delay Node-RED's start; nor
 * does loading the library for plain scripts.
 */
import 'should'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../support/house'

const heavy = ['axios', 'undici', 'form-data', 'find-my-way', '@fastify/busboy']

/** Requires these modules in a separate process; returns the files that were loaded. */
async function filesOf(modules: readonly string[]): Promise<string[]> {
  const program = `
for (const path of ${JSON.stringify(modules)}) require(path)
console.log(JSON.stringify(Object.keys(require.cache)))`
  const args = ['--require', './scripts/sources.cjs', '--input-type=commonjs', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return (JSON.parse(stdout) as string[]).map((path) => relative(root, path).split(sep).join('/'))
}

const isHeavy = (path: string) => heavy.some((name) => path.startsWith(`node_modules/${name}/`))

describe('loading', () => {
  it('the nodes loads modules only when they are needed', async () => {
    const names = readdirSync(join(root, 'nodes'))
    const files = await filesOf(names.map((name) => `./nodes/${name}/${name}`))
    files.should.containEql('nodes/wait/wait.ts')
    files.filter((path) => path.startsWith('sandbox/') || isHeavy(path)).should.deepEqual([])
  })

  it('the library does too: the first client loads the rest', async () => {
    const files = await filesOf(['./lib'])
    files.should.containEql('lib/index.ts')
    files.filter(isHeavy).should.deepEqual([])
  })
})
