/**
 * A service with very many sessions: `GET …?cursor=n&limit=m` returns m of them, beginning with the n-th. Sessions are
 * generated on request.
 */
import { createServer } from 'node:http'

const total = 100_000
const token = JSON.stringify({ access_token: 'bench', expires_in: 3600, token_type: 'Bearer' })

const session = (n) => ({
  id: `session-${String(n).padStart(12, '0')}`,
  status: 'success',
  provider: 'no_eid_mobile',
  created: '2026-01-01T12:00:00.000Z',
  externalReference: `customer-${n}`,
})

function page(from, limit) {
  const end = Math.min(from + limit, total)
  const data = Array.from({ length: end - from }, (_, index) => session(from + index))
  return JSON.stringify({ data, ...(end < total && { nextCursor: String(end) }) })
}

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const asked = () => page(Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit') ?? 100))
    const answer = pathname === '/oauth/connect/token' ? token : asked()
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})
// Idle connections stay open, because a busy client could find its connection closed just as it sends.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
