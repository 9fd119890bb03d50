/**
 * Uploads one large file through "share upload" in a process of its own and prints its figures: `large-upload.ts url
 * path|stream file`.
 */
import { createReadStream } from 'node:fs'
import node from '../../nodes/share-upload/share-upload'
import { startFlow, stopFlow } from './flow'

async function main([url = '', how = '', file = '', shareId = '']: string[]): Promise<void> {
  const settings = { file: 'file', fileAs: 'path' }
  const client = { baseUrl: url }
  const flow = await startFlow({ type: 'eid-share-upload', module: node, settings, client, outputs: 2 })
  // The HTTP library is loaded with the first message: what it takes has nothing to do with the file.
  await import('../../lib/api/client.js')
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20)
  flow.send({ shareId, contentId: 'big', file: how === 'stream' ? createReadStream(file) : file })
  const msg = await Promise.race([flow.next(), flow.caught()])
  clearInterval(watch)
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
