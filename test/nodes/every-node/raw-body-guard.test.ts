/**
 * The guard that keeps Node-RED's parsers away from the bodies at our addresses, with Node-RED's own Express and
 * parsers, in the same order as in Node-RED.
 */
import should from 'should'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { HttpHandler, HttpRequest, Router } from '../../../lib/runtime/node-red/node-red'
import { readBytes } from '../../../lib/runtime/http/raw-body'
import { guardRawBodies } from '../../../lib/runtime/http/raw-body-guard'

interface App extends Router {
  (request: unknown, response: unknown): void
  use(path: string | HttpHandler, ...handlers: (HttpHandler | App)[]): void
}

const nodeRed = createRequire(require.resolve('node-red'))
const express = nodeRed('express') as () => App
const parsers = createRequire(nodeRed.resolve('@node-red/editor-api'))('body-parser') as {
  json(): HttpHandler
  urlencoded(options: { extended: boolean }): HttpHandler
}

/** Our addresses refuse longer bodies. In bytes. */
const limit = 1000
const body = '{ "type":"ping",\n\t"n": 1.0 }'

describe('guardRawBodies', () => {
  let server: Server | undefined
  afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

  /**
   * Starts the server like red.js: first the editor, then the nodes, each below its root. Our addresses answer with the
   * bytes, all others with the parsed body.
   */
  const start = async (adminRoot: string, nodeRoot: string, before: readonly HttpHandler[] = []) => {
    const app = express()
    const admin = express()
    const node = express()
    admin.use(parsers.json())
    admin.use(parsers.urlencoded({ extended: true }))
    for (const handler of before) app.use(handler)
    app.use(adminRoot, admin)
    app.use(nodeRoot, node)
    guardRawBodies(node, (path) => path === '/ours' || path.startsWith('/ours/'))
    node.post('/ours', answerBytes)
    node.post('/ours/below', answerBytes)
    app.post(/.*/, (request, response) => response.json({ parsed: request.body ?? null }))
    return listen(app)
  }
  const listen = async (app: App) => {
    const listening = createServer((request, response) => app(request, response))
    server = listening
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  }

  for (const [adminRoot, nodeRoot] of [
    ['/', '/'],
    ['/', '/flows/'],
    ['/', '/flows'],
    ['/', '/deep/er/'],
    ['/admin/', '/'],
    ['/admin/', '/flows/'],
    ['/flows/', '/flows/'],
    ['/flows/', '/flows/nodes/'],
    ['/flows/admin/', '/flows/'],
  ] as const) {
    const root = nodeRoot.replace(/\/$/, '')

    it(`leaves the bytes alone with the editor at ${adminRoot} and the nodes at ${nodeRoot}`, async () => {
      const url = await start(adminRoot, nodeRoot)
      for (const path of ['/ours', '/ours?a=/b', '/ours/below']) should(await post(url + root + path)).equal(body)
      should(await post(`${url}${root}/ours`, 'a=1', 'application/x-www-form-urlencoded')).equal('a=1')
      should(await post(`${url}${root}/ours`, 'x'.repeat(limit + 1))).equal('too-large')
    })

    it(`leaves other addresses to their parsers with the editor at ${adminRoot} and the nodes at ${nodeRoot}`, async () => {
      const url = await start(adminRoot, nodeRoot)
      const editor = url + adminRoot.replace(/\/$/, '')
      should(JSON.parse(await post(`${editor}/settings`))).deepEqual({ parsed: JSON.parse(body) as unknown })
      should(JSON.parse(await post(`${editor}/x/ours`))).deepEqual({ parsed: JSON.parse(body) as unknown })
      should(JSON.parse(await post(`${editor}/oursnot`))).deepEqual({ parsed: JSON.parse(body) as unknown })
    })
  }

  it('leaves the bytes alone when the path begins with a slash too many', async () => {
    const url = await start('/', '/flows/')
    should(await post(`${url}/flows//ours`)).equal(body)
  })

  it('takes nothing over from other roots: what looks like our address there is parsed', async () => {
    const url = await start('/', '/flows/')
    for (const path of ['/ours', '/flowsours', '/other/ours']) {
      should(JSON.parse(await post(url + path))).deepEqual({ parsed: JSON.parse(body) as unknown })
    }
  })

  it('comes before parsers that come before everything', async () => {
    const url = await start('/admin/', '/', [parsers.json()])
    should(await post(`${url}/ours`)).equal(body)
  })

  it('does nothing where the nodes are served alone', async () => {
    const node = express()
    guardRawBodies(node, () => true)
    node.use(parsers.json())
    node.post('/ours', answerBytes)
    should(await post(`${await listen(node)}/ours`)).equal('taken')
  })

  it('hands on to the next one exactly once', async () => {
    const seen: string[] = []
    const watch: HttpHandler = (request, _response, next) => {
      seen.push(request.url ?? '')
      next()
    }
    const url = await start('/', '/flows/', [watch])
    await post(`${url}/flows/ours`)
    await post(`${url}/flows/other`)
    should(seen).deepEqual(['/flows/ours', '/flows/other'])
  })
})

const answerBytes: HttpHandler = (request: HttpRequest, response) => {
  void readBytes(request, limit).then((bytes) => response.send(bytes))
}

async function post(url: string, sent = body, type = 'application/json'): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body: sent })
  return answer.text()
}
