/** The client in a plain script: all exports that a script needs come from one place, without Node-RED. */
import should from 'should'
import * as eid from '../../lib'
import type { Answer, ApiClient, ClientOptions } from '../../lib'
import { startServer } from '../support/servers/server'

describe('the package as a plain script', () => {
  it('creates a document and reports failures by code and outcome', async () => {
    const server = await startServer()
    const options: ClientOptions = {
      baseUrl: server.url,
      clientId: 'script',
      clientSecret: 'script-secret',
      scopes: eid.scopes,
      retries: 0,
    }
    const client: ApiClient = eid.createClient(options)
    server.answer({ status: 201, body: { documentId: 'd-1', signers: [{}] } }, { status: 403 })
    const made: Answer = await eid.createDocument(client, { externalId: 'contract-1' })
    should(made).match({ status: 201, data: { documentId: 'd-1' } })
    const refused = await client.send('getDocument', { id: 'd-1' }).catch((error: unknown) => error)
    should(refused).be.instanceOf(eid.EidError)
    should(refused).have.properties({ code: 'EID_FORBIDDEN' })
    should(refused).have.propertyByPath('cause', 'outcome').equal('not-done')
    should((refused as Error).message).containEql('document_read')
    await client.close()
    await server.close()
  })

  it('describes messages and errors, so that a Function node with types can tell what to repeat', () => {
    const repeats = (msg: eid.CaughtMessage): boolean => {
      const busy: eid.ErrorCode[] = ['EID_RATE_LIMITED', 'EID_NETWORK']
      return msg.error.cause.outcome === 'not-done' && busy.includes(msg.error.code)
    }
    const linksOf = (msg: eid.DocumentMessage) => msg.signers.map((one) => one.url)
    const source = { id: 'n', type: 'eid-document' }
    const cause: eid.Cause = { attempts: 1, outcome: 'not-done' }
    should(repeats({ error: { message: 'slow down', code: 'EID_RATE_LIMITED', cause, source } })).be.true()
    should(repeats({ error: { message: 'gone', code: 'EID_NOT_FOUND', cause, source } })).be.false()
    // @ts-expect-error A code that is not one of ours does not compile.
    const wrong: eid.ErrorCode = 'EID_SLOW'
    should(eid.errorCodes).not.containEql(wrong)
    should(
      linksOf({ payload: {}, documentId: 'd', externalId: 'e', existing: false, signers: [{ url: 'u' }] }),
    ).deepEqual(['u'])
  })

  it('lists every operation, scope and error code', () => {
    for (const { method, path, repeat } of Object.values(eid.operations)) {
      path.should.startWith('/')
      if (method === 'GET') repeat.should.equal('safe')
      else if (repeat === 'safe') path.should.match(/\/((in)?validate|jwt|events\/(\{id\}\/)?handle)/)
    }
    const lookedUp = Object.entries(eid.operations).filter(([, { repeat }]) => repeat === 'lookup')
    lookedUp.map(([name]) => name).should.deepEqual(['createDocument'])
    const needed = Object.values(eid.operations).flatMap((one: eid.Operation) => one.scope ?? [])
    new Set(needed).should.deepEqual(new Set(eid.scopes))
    eid.errorCodes.length.should.equal(14)
  })
})
