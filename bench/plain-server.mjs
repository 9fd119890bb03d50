/**
 * A minimal service: a constant answer for every call, after the given number of milliseconds. It counts calls, token
 * requests, and the documents that clients have asked about.
 */
import { createServer } from 'node:http'

let tokens = 0
let calls = 0
/** Documents that clients have asked about. */
const documents = new Set()
const token = JSON.stringify({ access_token: 'bench', expires_in: 3600, token_type: 'Bearer' })
const status = { documentStatus: 'unsigned' }
const pauseMs = Number(process.argv[2] ?? 0)
const list = JSON.stringify({ size: 0, data: [] })

/** @param {string} url */
function answerTo(url) {
  if (url.startsWith('/signature/documents/summary')) return list
  const [, documentId = 'bench'] = /^\/signature\/documents\/([^/?]+)/.exec(url) ?? []
  documents.add(documentId)
  return JSON.stringify({ documentId, signers: [{}], status, ...status })
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const asksToken = request.url === '/oauth/connect/token'
    const asksCount = request.url === '/count'
    if (asksToken) tokens++
    else if (!asksCount) calls++
    const answer = asksCount
      ? JSON.stringify({ tokens, calls, documents: documents.size })
      : asksToken
        ? token
        : answerTo(request.url ?? '')
    const send = () => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
      response.end(answer)
    }
    if (pauseMs > 0) setTimeout(send, pauseMs)
    else send()
  })
})
// Idle connections stay open, because a busy client could find its connection closed just as it sends.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
