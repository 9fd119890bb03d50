/** A process that archives one document after another, until it has archived all or is killed. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findKept, finishCrashed, keepFiles } from '../../../nodes/archive/keep'
import { memoryIn, placeIn } from './archive-folder'

const [folder = '', id = '', ...ids] = process.argv.slice(2)
const place = placeIn(folder, id, memoryIn(join(`${folder}-memory`, id), 'archive'))
const { signal } = new AbortController()

async function main(): Promise<void> {
  process.send?.('ready')
  for (const documentId of ids) {
    await finishCrashed(place, signal)
    if (await findKept(place, documentId, signal)) continue
    await keepFiles(place, documentId, (path) => Promise.resolve(collect(path, documentId)), signal)
  }
}

function collect(path: string, documentId: string) {
  const files = ['signed.pdf', 'original.pdf', 'record.json'].map((name) => {
    const text = `${name} of ${documentId}`
    writeFileSync(join(path, name), text)
    return { name, size: text.length, sha256: createHash('sha256').update(text).digest('hex') }
  })
  const entry = { time: new Date().toISOString(), documentId, title: documentId, signers: [], files }
  return { wanted: `Lease ${documentId}`, entry }
}

void main().then(() => process.disconnect())
