/**
 * Uploads one large file through "share upload" in a process of its own and prints its figures: `large-upload.ts url
 * path|stream file`.
 */
import { createReadStream } from 'node:fs'
import node from '../../../nodes/share-upload/share-upload'
import { startFlow, stopFlow } from '../flow'

/** Growth in bytes up to which the peak is not measured exactly. */
const few = 32 * 1024 ** 2

/**
 * Bytes of this process without garbage. When garbage is collected depends on the machine, so it is collected first.
 */
function memoryInUse(): number {
  if (!globalThis.gc) throw new Error('run with --expose-gc')
  // Newer engines release the memory of buffers only at the collection after the one that finds them unused.
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
    // The resident memory is never less than the memory in use, which takes long to measure.
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
