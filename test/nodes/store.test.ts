/**
 * The shared store: which database its settings name, who may test them, what they never reveal, and what the database
 * contains.
 */
import should from 'should'
import { Client } from 'pg'
import { openNodeStore } from '../../lib/runtime/node/node-store'
import type { EidError } from '../../lib/api/errors/errors'
import type { Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import { createDatabase } from '../../lib/store/drivers/postgres/database'
import type { Store } from '../../lib/store/store'
import { limitsOf } from '../../nodes/store/settings'
import storeNode from '../../nodes/store/store'
import node from '../../nodes/request/request'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startFlow, stopFlow } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import { until } from '../support/time'
import { saying, sentence } from '../support/wording'

describe('store', () => {
  let server: PostgresServer
  let admin: PublicSide
  let RED: Runtime
  const opened: Store[] = []
  const warnings: unknown[] = []

  before(async () => {
    server = await startPostgres()
    admin = await startPublicSide('httpAdmin')
  })
  after(async () => {
    await admin.close()
    await server.stop()
  })
  afterEach(async () => {
    delete process.env.EID_TEST_DATABASE
    await stop()
    warnings.length = 0
  })

  /** Closes the opened stores, as the nodes of a flow do, and stops the flow. */
  const stop = async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await stopFlow()
  }
  /** Starts a flow with the shared store `s`, and opens a store as a node does. */
  const start = async (settings: object = {}, secrets: object = {}) => {
    const take = (runtime: Runtime) => void (RED = runtime)
    const store = { id: 's', type: 'eid-store', address: server.url, ...settings }
    await startFlow({
      type: 'eid-request',
      module: node,
      more: [store],
      moreSecrets: { s: secrets },
      modules: [storeNode, admin.module, take],
    })
  }
  const open = (shared: unknown = 's', store = '') => {
    const node = { id: 'n', warn: (text: unknown) => void warnings.push(text) } as RuntimeNode
    const translate = Object.assign((key: string) => key, { label: (path: string) => path })
    const status = { setResult: () => undefined, rest: () => undefined }
    const fail = (error: unknown) => error as EidError
    const config = { id: 'n', type: 'eid-wait', store, shared }
    const live = {
      RED,
      node: { ...node, error: () => undefined },
      translate,
      config,
      status,
      fail,
      passed: () => undefined,
      closing: new AbortController().signal,
    }
    const one = openNodeStore(live, { kind: 'items' })
    opened.push(one)
    return one
  }
  const failing = async (settings: object, secrets: object = {}) => {
    await start(settings, secrets)
    const attempt = async () => open().get('one')
    const error = await attempt().then(
      () => undefined,
      (thrown: Error & { code: string }) => thrown,
    )
    await stop()
    return { code: error?.code, message: error?.message }
  }
  const query = async (text: string) => {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    await client.end()
    return rows
  }

  it('gives a node its part of the database, with the lease that is set', async () => {
    await start({ namespace: 'one', takeOver: '4' })
    const store = open()
    should(store.leaseMs).equal(4_000)
    await store.put('page', { body: { url: 'https://example.com' } })
    should((await store.get('page'))?.body).deepEqual({ url: 'https://example.com' })
    should(await query("select ns, node, kind from eid_kept where ns = 'one' and node = 'n'")).deepEqual([
      { ns: 'one', node: 'n', kind: 'items' },
    ])
    // The rows stay, because another Node-RED may still have the node.
    await store.close()
    should(await query("select count(*)::int from eid_kept where ns = 'one' and node = 'n'")).deepEqual([{ count: 1 }])
    should(warnings).deepEqual([])
  })

  it('announces this Node-RED to the others while it is used, and no longer', async () => {
    const reports = () => query("select node from eid_kept where ns = 'told' and kind = 'replicas'")
    await start({ namespace: 'told' })
    await open().put('one', { body: 1 })
    await until(async () => (await reports()).length === 1)
    await stop()
    should(await reports()).be.empty()
  })

  it('stays open until those who use it have returned their claims', async () => {
    await start({ namespace: 'closing' })
    const store = open()
    await store.put('work', { body: 1, dueMs: 0 })
    const claims = await store.claim(1)
    should(claims).have.length(1)
    const stopping = stopFlow()
    await store.returnClaims(claims)
    await store.close()
    await stopping
    // A row that announces this Node-RED to the others may remain for up to a minute.
    const left = await query("select owner from eid_kept where ns = 'closing' and kind = 'items'")
    should(left).deepEqual([{ owner: null }])
  })

  it('takes over after fifteen seconds where nothing, or nothing that makes sense, is set', async () => {
    for (const takeOver of [undefined, '', 'soon', -1]) {
      await start({ takeOver })
      should(open().leaseMs).equal(15_000)
      await stop()
    }
  })

  it('lets a node keep as much as is set, and a million items where nothing that makes sense is', async () => {
    await start({ namespace: 'bounded', maxItems: '2' })
    const store = open()
    for (const id of ['one', 'two', 'three']) await store.put(id, { body: id })
    should((await store.list()).map(({ id }) => id)).deepEqual(['two', 'three'])
    for (const maxItems of [undefined, '', 'many', -1, 0]) {
      should(limitsOf({ maxItems })).deepEqual({ maxItems: 1_000_000, maxBytes: 10 * 256 * 1024 * 1024 })
    }
    should(limitsOf({ maxItems: 5 }).maxBytes).equal(256 * 1024 * 1024)
  })

  it('takes its address from the environment', async () => {
    process.env.EID_TEST_DATABASE = server.url
    await start({ address: '${EID_TEST_DATABASE}' })
    should(await open().add('one', { body: 1 })).be.true()
  })

  it('says which of its settings is invalid', async () => {
    for (const address of [undefined, '', 'localhost:5432', 'http://localhost/db']) {
      should((await failing({ address })).message).equal(
        sentence('client', 'config.storeAddress', { done: '@outcomes.notSent' }),
      )
    }
    for (const name of ['address', 'namespace', 'takeOver', 'maxItems']) {
      const env = await failing({ [name]: '${EID_NOT_SET}' })
      should([env.code, /EID_NOT_SET is not set/.test(env.message ?? '')]).deepEqual(['EID_CONFIG', true], name)
    }
  })

  it('says that the database rejected the connection or cannot be reached, and reveals no secret', async () => {
    const secrets = { user: 'nobody-here', password: 'of-the-test' }
    const refused = await failing({}, secrets)
    should(refused).match({ code: 'EID_CONFIG', message: saying('client', 'config.storeRefused') })
    const unknown = await failing({ address: server.url.replace('/postgres', '/no-such-database') })
    should(unknown).match({
      code: 'EID_CONFIG',
      message: sentence('client', 'config.storeRefused', { reason: '3D000' }),
    })
    const away = await failing({ address: 'postgres://of-the-test:of-the-test@127.0.0.1:1/db' })
    should(away).match({ code: 'EID_NETWORK', message: /cannot be reached \(ECONNREFUSED\)/ })
    for (const { message } of [refused, unknown, away]) should(message).not.match(/of-the-test|nobody-here/)
  })

  it('is not replaced by a store of each Node-RED’s own when it is switched off', async () => {
    await start()
    should(() => open('gone')).throw({ code: 'EID_CONFIG' })
    should(() => open('c')).throw({ code: 'EID_CONFIG' })
  })

  it('encrypts its data, and leaves data of another key alone', async () => {
    await start({ namespace: 'sealed' }, { key: 'first' })
    const mine = open()
    await mine.put('work', { body: 'Ola Nordmann', summary: { title: 'Lease of Ola' }, subject: 'about Ola', dueMs: 0 })
    should((await mine.get('work'))?.summary).deepEqual({ title: 'Lease of Ola' })
    // Searches for whole words, because three letters occur by chance in a large ciphertext.
    const rows = await query("select * from eid_kept where ns = 'sealed'")
    const unpacked = (value: unknown) => (typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '')
    const texts = JSON.stringify([rows, rows.flatMap((row) => Object.values(row as object).map(unpacked))])
    should(['Nordmann', 'Lease of Ola', 'about Ola'].filter((words) => texts.includes(words))).deepEqual([])
    await stop()
    await start({ namespace: 'sealed' }, { key: 'second' })
    const other = open()
    should([await other.get('work'), await other.claim(5), await other.list()]).deepEqual([undefined, [], []])
    await stop()
    await start({ namespace: 'sealed' }, { key: 'first' })
    should((await open().claim(5)).map(({ body }) => body)).deepEqual(['Ola Nordmann'])
    should(warnings).deepEqual([])
  })

  describe('Test connection', () => {
    const test = async (settings: object, credentials: object = {}, type = 'application/json', id = 's') => {
      const body = JSON.stringify({ id, settings, credentials })
      const headers = { 'Content-Type': type }
      const answer = await fetch(`${admin.url}/eid/store/test`, { method: 'POST', headers, body })
      const said =
        answer.status === 200 ? ((await answer.json()) as { ok: boolean; text: string; code?: string }) : undefined
      return { status: answer.status, ok: said?.ok, text: said?.text, code: said?.code }
    }

    it('says which database it has reached', async () => {
      await start({ address: '' })
      const { ok, text } = await test({ address: server.url })
      should(ok).be.true()
      should(text).match(/^Reached 127\.0\.0\.1:\d+: PostgreSQL \d+/)
      process.env.EID_TEST_DATABASE = server.url
      should((await test({ address: '${EID_TEST_DATABASE}' })).ok).be.true()
    })

    it('says in words why not', async () => {
      await start({ address: '' })
      should(await test({ address: 'postgres://127.0.0.1:1/db' })).match({ ok: false, code: 'EID_NETWORK' })
      should(await test({ address: 'nonsense' })).match({ ok: false, code: 'EID_CONFIG' })
      should(await test({})).match({ ok: false, code: 'EID_CONFIG' })
    })

    it('sends a stored password to the stored address only', async () => {
      await start({}, { user: 'eid', password: 'stored' })
      should((await test({ address: server.url }, { user: 'eid', password: '__PWRD__' })).ok).be.true()
      const elsewhere = await test({ address: 'postgres://127.0.0.1:1/db' }, { user: 'eid', password: '__PWRD__' })
      should(elsewhere.text).equal(sentence('store', 'test.secretElsewhere'))
    })

    it('takes JSON only: a form on another page can send any other type', async () => {
      await start()
      should((await test({ address: server.url }, {}, 'text/plain')).status).equal(415)
    })
  })

  it('asks for the module that is not installed, with the words to type', async () => {
    const load = () => Promise.reject(Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' }))
    const database = createDatabase({ config: {}, namespace: 'eid', load })
    await should(database.run('select 1', [])).be.rejectedWith({ code: 'EID_CONFIG', message: /npm install pg/ })
    await database.close()
  })
})
