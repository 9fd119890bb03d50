/** A process that archives one document after another, until it has archived all or is killed. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readIndex } from '../../nodes/document/archive/archive-index'
import { finishInterrupted } from '../../nodes/document/archive/finish'
import { commit, openStaging } from '../../nodes/document/archive/staging'

const [folder = '', ...ids] = process.argv.slice(2)
const place = { folder, real: folder, index: 'index.jsonl' }

async function main(): Promise<void> {
  process.send?.('ready')
  for (const documentId of ids) {
    await finishInterrupted(place, new AbortController().signal)
    if ((await readIndex(folder, place.index)).entries.has(documentId)) continue
    const staging = await openStaging(place, documentId)
    const files = ['signed.pdf', 'original.pdf', 'record.json'].map((name) => {
      const text = `${name} of ${documentId}`
      writeFileSync(join(staging.path, name), text)
      return { name, size: text.length, sha256: createHash('sha256').update(text).digest('hex') }
    })
    const entry = { time: new Date().toISOString(), documentId, title: documentId, signers: [], files }
    await commit(place, staging.path, `Lease ${documentId}`, entry)
    await staging.end()
  }
}

void main().then(() => process.disconnect())
