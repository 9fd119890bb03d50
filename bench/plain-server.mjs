/** The least that a service can be: a constant answer for every call, and a count of calls and token requests. */
import { createServer } from 'node:http'

let tokens = 0
let calls = 0
const token = JSON.stringify({ access_token: 'bench', expires_in: 3600, token_type: 'Bearer' })
const status = { documentStatus: 'unsigned' }
const record = JSON.stringify({ documentId: 'bench', signers: [{}], status, ...status })

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const asksToken = request.url === '/oauth/connect/token'
    const asksCount = request.url === '/count'
    if (asksToken) tokens++
    else if (!asksCount) calls++
    const answer = asksCount ? JSON.stringify({ tokens, calls }) : asksToken ? token : record
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})
// Idle connections stay: a client that is busy would find its own closed just as it sends.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
