/** A Node-RED of its own that uploads one large file, for the test that watches its memory. Tells its parent what came out. */
import { createReadStream } from 'node:fs'
import node from '../../nodes/share-upload/share-upload'
import { startFlow, stopFlow } from './flow'

/** What the parent starts it with. */
export interface UploadProcess {
  readonly url: string
  readonly path: string
  readonly source: 'path' | 'stream'
}

/** What the parent gets: bytes that memory grew by at the most, and the message's payload. */
export interface Uploaded {
  readonly growth: number
  readonly payload: unknown
  readonly error: unknown
}

const { url, path, source } = JSON.parse(process.argv[2] ?? '{}') as UploadProcess

async function main(): Promise<void> {
  const flow = await startFlow({
    type: 'eid-share-upload',
    module: node,
    settings: { file: 'file' },
    client: { environment: 'live', baseUrl: url, scopes: 'share_write' },
    credentials: { clientId: 'client-1', clientSecret: 'secret-of-client-1' },
  })
  const upload = async (file: unknown) => {
    flow.send({ shareId: '1', contentId: 'a', file })
    return Promise.race([flow.next(), flow.caught()])
  }
  await upload(Buffer.alloc(1_000_000)) // Everything is loaded and warm before the measuring starts.
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  const { payload, error } = await upload(source === 'path' ? path : createReadStream(path))
  clearInterval(timer)
  process.send?.({ growth: peak - before, payload, error } satisfies Uploaded)
  await stopFlow()
  process.disconnect()
}

void main()
