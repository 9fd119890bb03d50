/** Measures the size of the package: its editor parts, and an installation of the package. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { filesBelow, installPacked, weigh } from './package'
import type { Row, Subject } from './report'

const name = '@eid-flows/node-red-eid'
const kilobyte = 1000
const megabyte = 1000 * 1000

export function benchSize(): Promise<Subject[]> {
  const installed = installPacked()
  const ours = join(installed.folder, 'node_modules', name)
  const core = dirname(require.resolve('@node-red/nodes/package.json'))
  return Promise.resolve([
    editorParts(join(ours, 'dist/nodes'), core),
    installation(installed.folder, installed.packed, ours),
  ])
}

function editorParts(ours: string, core: string): Subject {
  const row = (what: string, wanted: (path: string) => boolean, zipped = false): Row => {
    const weight = (folder: string) => kilobytesOf(filesBelow(folder).filter(wanted), zipped)
    return { what, ours: weight(ours), other: weight(core), unit: 'kB' }
  }
  const isForm = (path: string) => path.endsWith('.html') && !path.includes(`${sep}locales${sep}`)
  const isText = (path: string) => path.includes(`${sep}locales${sep}en-US${sep}`)
  return {
    subject: 'editor parts of all nodes together',
    alternative: "all of Node-RED's own nodes",
    rows: [
      { ...row('forms and their scripts', isForm), aim: { atMost: 150, of: 'ours' } },
      row('the same, compressed', isForm, true),
      row('texts and help in one language', isText),
      row('icons', (path) => path.endsWith('.svg')),
    ],
  }
}

function kilobytesOf(files: readonly string[], zipped: boolean): number {
  const sizeOf = (path: string) => (zipped ? gzipSync(readFileSync(path)).length : statSync(path).size)
  return files.reduce((sum, path) => sum + sizeOf(path), 0) / kilobyte
}

function installation(folder: string, packed: number, ours: string): Subject {
  const all = weigh(join(folder, 'node_modules')) / megabyte
  const manifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, unknown>>
  const lock = manifest(join(folder, 'node_modules/.package-lock.json'))
  const packages = Object.keys(lock.packages ?? {}).length
  const direct = Object.keys(manifest(join(ours, 'package.json')).dependencies ?? {}).length
  return {
    subject: 'installation with all that it needs',
    alternative: '',
    rows: [
      { what: 'everything', ours: all, unit: 'MB', aim: { atMost: 17, of: 'ours' } },
      { what: 'of it this package', ours: weigh(ours) / megabyte, unit: 'MB' },
      { what: 'packed file', ours: packed / megabyte, unit: 'MB' },
      { what: 'packages', ours: packages, unit: '' },
      { what: 'of them named by this package', ours: direct, unit: '' },
    ],
  }
}
