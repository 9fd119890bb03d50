/** The routes that our nodes add to the editor: who may use them, and that no stored secret leaks through them. @rest */
import should from 'should'
import { startServer, type TestServer } from '../support/servers/server'
import { json, startRed, type RedProcess } from '../support/node-red/inspected'

/**
 * Every route that the package adds to the editor, with the status that each kind of user gets. A route that is missing
 * here fails the tests.
 */
const table = [
  { route: 'POST /eid/client/test', path: '/eid/client/test', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/store/test', path: '/eid/store/test', nobody: 401, reader: 401, writer: 200 },
  {
    route: 'GET /eid/suggestions/:client/:list',
    path: '/eid/suggestions/c/themes',
    nobody: 401,
    reader: 200,
    writer: 200,
  },
  // A body that is not a file is refused, but only after the sender's permissions were checked.
  { route: 'POST /eid/files', path: '/eid/files', nobody: 401, reader: 401, writer: 415 },
  { route: 'POST /eid/files/look', path: '/eid/files/look', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/files/fields', path: '/eid/files/fields', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/files/rows', path: '/eid/files/rows', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/files/preview', path: '/eid/files/preview', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/send-test', path: '/eid/send-test', nobody: 401, reader: 401, writer: 400 },
  { route: 'GET /eid/waiting/:client', path: '/eid/waiting/c', nobody: 401, reader: 200, writer: 200 },
  { route: 'GET /eid/overview/users/:node', path: '/eid/overview/users/n', nobody: 401, reader: 200, writer: 200 },
  { route: 'GET /eid/alerts/address', path: '/eid/alerts/address', nobody: 401, reader: 200, writer: 200 },
  { route: 'POST /eid/overview/users', path: '/eid/overview/users', nobody: 401, reader: 401, writer: 200 },
  { route: 'GET /eid/client/sandbox', path: '/eid/client/sandbox', nobody: 401, reader: 200, writer: 200 },
  { route: 'GET /eid/sidebar', path: '/eid/sidebar', nobody: 401, reader: 200, writer: 200 },
  { route: 'GET /eid/sidebar/kept', path: '/eid/sidebar/kept', nobody: 401, reader: 200, writer: 200 },
  { route: 'POST /eid/sidebar/resting', path: '/eid/sidebar/resting', nobody: 401, reader: 401, writer: 200 },
  { route: 'GET /eid/sidebar/file/:wait', path: '/eid/sidebar/file/none', nobody: 401, reader: 401, writer: 404 },
  { route: 'GET /eid/sidebar/done/:wait', path: '/eid/sidebar/done/none', nobody: 401, reader: 401, writer: 404 },
  { route: 'GET /eid/sidebar/report', path: '/eid/sidebar/report', nobody: 401, reader: 401, writer: 404 },
  { route: 'POST /eid/sidebar/waiting', path: '/eid/sidebar/waiting', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/sidebar/remind', path: '/eid/sidebar/remind', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/sidebar/troubles', path: '/eid/sidebar/troubles', nobody: 401, reader: 401, writer: 200 },
  { route: 'POST /eid/sidebar/batches', path: '/eid/sidebar/batches', nobody: 401, reader: 401, writer: 200 },
] as const

// The presser may press the buttons of the sidebar, but not deploy.
const people = { reader: 'read', writer: '*', presser: 'eid.write' }

describe('routes of the editor', () => {
  let service: TestServer
  let elsewhere: TestServer
  let red: RedProcess
  const secret = 'the-stored-secret-of-the-client'
  const variable = 'a-value-of-the-environment'
  const stored = () => ({ environment: 'live', baseUrl: service.url, tokenUrl: '', scopes: 'document_read' })

  before(async () => {
    process.env.EID_MISUSE = variable
    process.env.EID_MISUSE_SECRET = secret
    service = await startServer()
    elsewhere = await startServer()
    red = await startRed({ flows: [], people })
    const writer = await red.logIn('writer')
    const clients = [
      { id: 'c', type: 'eid-client', ...stored(), credentials: { clientId: 'us', clientSecret: secret } },
      {
        id: 'env',
        type: 'eid-client',
        ...stored(),
        credentials: { clientId: '${EID_MISUSE}', clientSecret: '${EID_MISUSE_SECRET}' },
      },
    ]
    const flows = [{ id: 'f', type: 'tab', label: 'test' }, ...clients]
    const { headers, ...init } = json(flows)
    const answer = await red.admin('/flows', { ...init, headers: { ...headers, ...writer } })
    should(answer.status).equal(204)
  })
  after(async () => {
    delete process.env.EID_MISUSE
    delete process.env.EID_MISUSE_SECRET
    await red.stop()
    await service.close()
    await elsewhere.close()
  })
  beforeEach(() => {
    for (const server of [service, elsewhere]) {
      server.tokenCalls.length = 0
      server.answerToken({ body: { access_token: 't', expires_in: 3600, token_type: 'Bearer' } })
    }
  })

  it('are the ones of the table, and no others', async () => {
    const bare = await startRed({ flows: [], people, withPackage: false })
    const without = await bare.routes()
    await bare.stop()
    const { admin } = await red.routes()
    const ours = admin.filter((one) => !without.admin.includes(one))
    should(ours.sort()).deepEqual(table.map(({ route }) => route).sort())
  })

  for (const { route, path, ...expected } of table) {
    for (const who of ['nobody', 'reader', 'writer'] as const) {
      it(`answer ${expected[who]} to ${who} at ${route}`, async () => {
        const headers = who === 'nobody' ? {} : await red.logIn(who)
        const init = route.startsWith('POST') ? json({ settings: {}, credentials: {} }) : {}
        const answer = await red.admin(path, { ...init, headers: { 'Content-Type': 'application/json', ...headers } })
        should(answer.status).equal(expected[who])
      })
    }
  }

  for (const { route, path } of table) {
    const foreign: readonly Record<string, string>[] = [
      { Origin: 'http://other.example' },
      // A page may send this header with any host, because Node-RED allows all pages to send all headers.
      { Origin: 'http://other.example', 'X-Forwarded-Host': 'other.example' },
      { Origin: 'null' },
      { Origin: 'http://other.example', 'Sec-Fetch-Site': 'none' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    it(`refuse a page of another origin at ${route}`, async () => {
      const login = await red.logIn('writer')
      const init = route.startsWith('POST') ? json({ settings: {}, credentials: {} }) : {}
      for (const headers of foreign) {
        const answer = await red.admin(path, {
          ...init,
          headers: { 'Content-Type': 'application/json', ...login, ...headers },
        })
        should(answer.status).equal(403)
      }
    })
  }

  it('give the hashes of passwords only to people who may deploy', async () => {
    const headers = { 'Content-Type': 'application/json', ...(await red.logIn('presser')) }
    const statusAt = async (path: string) => (await red.admin(path, { ...json({}), headers })).status
    should(await statusAt('/eid/overview/users')).equal(401)
    should(await statusAt('/eid/sidebar/remind')).equal(200)
  })

  it('take the editor at its own address, and behind a proxy that Node-RED trusts', async () => {
    const login = await red.logIn('writer')
    should((await red.admin('/eid/sidebar?rows=1', { headers: { ...login, Origin: red.url } })).status).equal(200)
    const behind = await startRed({ flows: [], settings: { httpServerOptions: { 'trust proxy': 1 } } })
    try {
      const asked = async (host: string) => {
        const headers = { Origin: 'http://flows.example', 'X-Forwarded-Host': host }
        return (await behind.admin('/eid/sidebar?rows=1', { headers })).status
      }
      should(await asked('flows.example')).equal(200)
      should(await asked('other.example')).equal(403)
    } finally {
      await behind.stop()
    }
  })

  it('accept no token that was not issued, and no token in other places', async () => {
    for (const headers of [{ Authorization: 'Bearer guessed' }, { Authorization: 'Basic d3JpdGVyOndyaXRlcg==' }]) {
      should((await red.admin('/eid/suggestions/c/themes', { headers })).status).equal(401)
    }
    should((await red.admin('/eid/client/test?permissions=*', json({}))).status).equal(401)
  })

  describe('Test connection', () => {
    const masked = { clientId: 'us', clientSecret: '__PWRD__' }
    const test = async (body: unknown) => {
      const { headers, ...init } = json(body)
      const answer = await red.admin('/eid/client/test', {
        ...init,
        headers: { ...headers, ...(await red.logIn('writer')) },
      })
      return (await answer.json()) as { ok: boolean; text: string; code?: string }
    }
    const arrived = (server: TestServer) =>
      server.tokenCalls.map(({ headers, path, body }) => {
        const [, basic = ''] = (headers.authorization ?? '').split(' ')
        return `${path} ${body} ${Buffer.from(basic, 'base64').toString()}`
      })

    it('sends the stored secret to the stored address', async () => {
      const answer = await test({ id: 'c', settings: stored(), credentials: masked })
      should(answer.ok).be.true()
      should(arrived(service)[0]).endWith(` us:${secret}`)
    })

    const places: readonly [string, (url: string) => object][] = [
      ['address', (baseUrl) => ({ baseUrl })],
      ['token address', (url) => ({ tokenUrl: `${url}/oauth/connect/token` })],
      ['proxy', () => ({ proxy: 'a-proxy' })],
      ['TLS settings', () => ({ tls: 'a-tls' })],
      ['environment', () => ({ environment: 'sandbox' })],
    ]
    for (const [what, changed] of places) {
      it(`sends no stored secret when the ${what} is another than the stored one`, async () => {
        const settings = { ...stored(), ...changed(elsewhere.url) }
        const answer = await test({ id: 'c', settings, credentials: masked })
        should(answer).have.properties({ ok: false, code: 'EID_CONFIG' })
        should(answer.text).match(/stored secret/)
        should([...arrived(elsewhere), ...arrived(service)]).deepEqual([])
      })
    }

    it('puts in values of the environment, deployed or not', async () => {
      const typed = { clientId: '${EID_MISUSE}', clientSecret: '${EID_MISUSE_SECRET}' }
      should((await test({ id: 'new', settings: stored(), credentials: typed })).ok).be.true()
      should(arrived(service)[0]).endWith(` ${variable}:${secret}`)
    })

    it('names a value of the environment that is not set', async () => {
      const typed = { clientId: '${EID_MISUSE_UNSET}', clientSecret: 'typed' }
      const answer = await test({ id: 'new', settings: stored(), credentials: typed })
      should(answer).have.properties({ ok: false, code: 'EID_CONFIG' })
      should(answer.text).match(/EID_MISUSE_UNSET/)
    })

    for (const [where, typed] of [
      ['scopes', { scopes: '${EID_MISUSE}' }],
      ['the address', { baseUrl: '${EID_MISUSE}' }],
      ['the token address', { tokenUrl: '${EID_MISUSE}' }],
      ['the time-out', { timeout: '${EID_MISUSE}' }],
    ] as const) {
      it(`reveals no value of the environment that is typed for ${where}`, async () => {
        const credentials = { clientId: 'us', clientSecret: 'typed' }
        const answer = await test({ id: 'c', settings: { ...stored(), ...typed }, credentials })
        should(JSON.stringify(answer)).not.containEql(variable)
      })
    }

    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      it(`takes no ${type || 'call without a type'}, which a form on another page could send`, async () => {
        const body = JSON.stringify({ id: 'c', settings: stored(), credentials: masked })
        const headers = { ...(await red.logIn('writer')), ...(type && { 'Content-Type': type }) }
        const answer = await red.admin('/eid/client/test', {
          method: 'POST',
          headers,
          body: new TextEncoder().encode(body),
        })
        should(answer.status).equal(415)
        should(arrived(service)).deepEqual([])
      })
    }

    it('sends nothing that the mask stands for when nothing is stored', async () => {
      const answer = await test({ id: 'unknown', settings: stored(), credentials: masked })
      should(answer).have.properties({ ok: false, code: 'EID_CONFIG' })
      should(arrived(service)).deepEqual([])
    })

    it('follows no redirect with the secret', async () => {
      service.answerToken({ status: 302, headers: { Location: `${elsewhere.url}/oauth/connect/token` } })
      should((await test({ id: 'c', settings: stored(), credentials: masked })).ok).be.false()
      should(arrived(elsewhere)).deepEqual([])
    })

    for (const body of [undefined, [], { settings: null }, { settings: 5, credentials: 'x' }, { id: {} }]) {
      it(`answers ${JSON.stringify(body)} in words`, async () => {
        const answer = await test(body)
        should(answer.text).be.a.String().and.not.empty()
        should(answer).not.have.property('stack')
      })
    }
  })
})
