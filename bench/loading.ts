/** Measures how much longer Node-RED takes to start with the package, installed as users install it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json'
import { comparing, takeTurns, type Figures } from './child'
import { installPacked } from './package'
import type { Subject } from './report'
import { roundsOr } from './rounds'

const rounds = roundsOr(5)
const nodes = Object.keys(manifest['node-red'].nodes).length

export async function benchLoading(): Promise<Subject[]> {
  const { folder } = installPacked()
  const empty = mkdtempSync(join(tmpdir(), 'eid-bench-empty-'))
  writeFileSync(join(empty, 'package.json'), '{"private":true}')
  writeFileSync(join(empty, 'flows.json'), '[]')
  writeFileSync(join(folder, 'flows.json'), '[]')
  try {
    const both = await takeTurns(rounds, { ours: () => load(folder, nodes), plain: () => load(empty, 0) })
    return [tableOf(both.ours, both.plain)]
  } finally {
    rmSync(empty, { recursive: true, force: true })
  }
}

async function load(userDir: string, expected: number): Promise<Figures> {
  const args = [join(__dirname, 'load.mjs'), require.resolve('node-red'), userDir]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const figures = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figures
  if (figures.found !== expected) throw new Error(`Node-RED has ${figures.found} of our nodes, not ${expected}`)
  return figures
}

function tableOf(ours: Figures, plain: Figures): Subject {
  const row = (what: string, key: string) => comparing(ours, plain)(what, key, 'ms')
  const extra = (ours.total ?? NaN) - (plain.total ?? NaN)
  return {
    subject: 'start of Node-RED until its flows run',
    alternative: 'without the package',
    rows: [
      row('code of Node-RED', 'required'),
      row('nodes found, loaded and started', 'started'),
      row('together', 'total'),
      row('CPU of the whole process', 'cpu'),
      { what: 'added by the package', ours: extra, unit: 'ms', aim: { atMost: 150, of: 'ours' } },
    ],
  }
}
