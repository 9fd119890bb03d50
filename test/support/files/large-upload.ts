/**
 * Uploads one large file through "share upload" in a process of its own and prints its figures: `large-upload.ts url
 * path|stream file`.
 */
import { createReadStream } from 'node:fs'
import node from '../../../nodes/share-upload/share-upload'
import { startFlow, stopFlow } from '../flow'

/** Bytes beyond those at the beginning that are not worth a look at what they are. */
const few = 32 * 1024 ** 2

/** Bytes of this process without garbage: when that is collected depends on the machine. */
function memoryInUse(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  // In steps: newer engines give back what buffers held only after the collection that follows.
  for (let round = 0; round < 3; round++) globalThis.gc()
  return process.memoryUsage().rss
}

async function main([url = '', how = '', file = '', shareId = '']: string[]): Promise<void> {
  const settings = { file: 'file', fileAs: 'path' }
  const client = { baseUrl: url }
  const flow = await startFlow({ type: 'eid-share-upload', module: node, settings, client, outputs: 2 })
  // The HTTP library is loaded with the first message: what it takes has nothing to do with the file.
  await import('../../../lib/api/client.js')
  const before = memoryInUse()
  let peak = before
  const look = () => {
    // Never less than what is in use; to find out takes long.
    const taken = process.memoryUsage.rss()
    if (taken > peak) peak = Math.max(peak, taken - before > few ? memoryInUse() : taken)
  }
  const watch = setInterval(look, 50)
  flow.send({ shareId, contentId: 'big', file: how === 'stream' ? createReadStream(file) : file })
  const msg = await Promise.race([flow.next(), flow.caught()])
  clearInterval(watch)
  look()
  await stopFlow()
  const [uploaded] = (msg.payload ?? []) as object[]
  console.log(JSON.stringify({ ...uploaded, error: msg.error, growth: peak - before }))
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
