/**
 * Uploads one large file through "share upload" in a process of its own and prints its figures: `large-upload.ts url
 * path|stream file shareId`.
 */
import { createReadStream } from 'node:fs'
import node from '../../../nodes/share-upload/share-upload'
import { startFlow, stopFlow } from '../flow'

/** If the memory has grown by fewer bytes than this, its peak is not measured exactly. */
const few = 32 * 1024 ** 2

/**
 * The bytes that this process uses after a garbage collection. Without this collection, the figure would depend on when
 * the machine collects the garbage.
 */
function memoryInUse(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  // Newer engines free the memory of buffers late: one collection finds that a buffer is unused, the next frees its
  // memory.
  for (let round = 0; round < 3; round++) globalThis.gc()
  return process.memoryUsage().rss
}

async function main([url = '', how = '', file = '', shareId = '']: string[]): Promise<void> {
  const settings = { file: 'file', fileAs: 'path' }
  const client = { baseUrl: url }
  const flow = await startFlow({ type: 'eid-share-upload', module: node, settings, client, outputs: 2 })
  // The HTTP library is loaded before the measurement, because its memory has nothing to do with the file.
  await import('../../../lib/api/client.js')
  const before = memoryInUse()
  let peak = before
  const look = () => {
    // Measuring the memory in use takes long. It is never more than the resident memory, so it is measured only if the
    // resident memory has grown.
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
