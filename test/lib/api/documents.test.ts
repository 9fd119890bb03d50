/** A document is created once, however the first attempt ended. */
import should from 'should'
import { startSandbox, type Sandbox } from '../../../sandbox'
import { createDocument, findDocument } from '../../../lib/api/documents'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import type { Arrived, Scripted } from '../../support/servers/server'

describe('createDocument', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())

  const body = { externalId: 'contract-1', title: 'Contract' }
  const create = () => createDocument(bench.client(), body)
  const creations = () => bench.server.calls.filter((call) => call.method === 'POST').length
  const record = (documentId: string) => ({ documentId, signers: [{}] })
  const found = { data: [{ documentId: 'd-1', externalId: 'contract-1' }] }

  /** Scripts the first creation and the look-ups; later creations succeed. */
  const script = (first: Scripted, list: Scripted, document: Scripted = { body: record('d-1') }) => {
    bench.server.answer(({ method, path }: Arrived) => {
      if (method === 'POST') return creations() === 1 ? first : { status: 201, body: record('d-2') }
      return path.includes('/summary') ? list : document
    })
  }

  for (const first of [{ status: 500 }, { close: 'after' }, { body: '{"docu' }] as Scripted[]) {
    const title = JSON.stringify(first)
    it(`after ${title}: returns the document that the look-up finds`, async () => {
      script(first, { body: found })
      should((await create()).data).deepEqual(record('d-1'))
      creations().should.equal(1)
      should(bench.server.calls[1]?.path).equal('/signature/documents/summary?externalId=contract-1')
    })

    it(`after ${title}: creates again if the look-up finds no document`, async () => {
      script(first, { body: { data: [] } })
      should((await create()).data).deepEqual(record('d-2'))
      creations().should.equal(2)
    })
  }

  const impossible: [string, Scripted, Scripted?][] = [
    ['the client may not read', { status: 403 }],
    ['the list fails', { status: 500 }],
    ['the list was not filtered', { body: { data: [{ documentId: 'd-9', externalId: 'another' }] } }],
    ['the list is none', { body: { items: [] } }],
    ['the list is empty text', { body: '' }],
    ['the list holds nothing readable', { body: { data: [null] } }],
    ['the document cannot be read', { body: found }, { status: 403 }],
    ['the document is none', { body: found }, { body: {} }],
    ['the document has no id', { body: { data: [{ externalId: 'contract-1' }] } }],
  ]
  for (const [title, list, document] of impossible) {
    it(`reports the first failure with an unknown outcome when ${title}`, async () => {
      script({ status: 502 }, list, document)
      const error = await failure(create())
      error.code.should.equal('EID_SERVICE')
      error.cause.should.match({ status: 502, method: 'POST', outcome: 'unknown' })
      creations().should.equal(1)
    })
  }

  it('after 429 creates again without a look-up', async () => {
    script({ status: 429 }, { status: 500 })
    should((await create()).data).deepEqual(record('d-2'))
    bench.server.calls.length.should.equal(2)
  })

  it('after 503 is looked up, also when it says when to come back', async () => {
    script({ status: 503, headers: { 'Retry-After': '1' } }, { body: found })
    should((await create()).data).deepEqual(record('d-1'))
    creations().should.equal(1)
  })

  it('that the service refuses is not looked up', async () => {
    script({ status: 400 }, { body: found })
    ;(await failure(create())).cause.should.match({ outcome: 'not-done', attempts: 1 })
    bench.server.calls.length.should.equal(1)
  })

  it('looks up again before every repetition, and ends unknown', async () => {
    bench.server.answer(({ method }) => (method === 'POST' ? { status: 500 } : { body: { data: [] } }))
    ;(await failure(create())).cause.should.match({ outcome: 'unknown', attempts: 4 })
    bench.server.calls
      .map((call) => call.method[0])
      .join('')
      .should.equal('PGPGPGP')
  })

  for (const last of [422, 429, 400]) {
    it(`has an unknown outcome if it was not found and a retry gets ${last}: the first request may still arrive`, async () => {
      // A proxy may hold the first request and forward it later.
      script({ close: 'after' }, { body: { data: [] } })
      bench.server.answer(({ method }) => {
        if (method === 'GET') return { body: { data: [] } }
        return creations() === 1 ? { close: 'after' } : { status: last }
      })
      ;(await failure(create())).cause.should.match({ outcome: 'unknown', status: last })
    })
  }

  it('is looked up first when the answer has no id: it may have been made', async () => {
    script({ status: 201, body: {} }, { body: found })
    should((await create()).data).deepEqual(record('d-1'))
    creations().should.equal(1)
  })

  describe('is looked up when the answer of the last attempt has no id', () => {
    const createOnce = () => createDocument(bench.client({ retries: 0 }), body)
    const methods = () => bench.server.calls.map(({ method }) => method[0]).join('')

    it('and is returned if it exists', async () => {
      script({ status: 200, body: { ok: 1 } }, { body: found })
      should((await createOnce()).data).deepEqual(record('d-1'))
      should(methods()).equal('PGG')
    })

    it('and has an unknown outcome if it does not, or if the look-up fails', async () => {
      for (const list of [{ body: { data: [] } }, { status: 403 }]) {
        bench.server.answer(({ method }) => (method === 'POST' ? { body: { ok: 1 } } : list))
        ;(await failure(createOnce())).cause.should.match({ outcome: 'unknown', status: 200, method: 'POST' })
      }
      should(methods()).equal('PGPG')
    })

    it('but not when there is no answer', async () => {
      script({ status: 500 }, { body: found })
      ;(await failure(createOnce())).cause.should.match({ outcome: 'unknown', status: 500 })
      should(methods()).equal('P')
    })
  })

  describe('in the sandbox', () => {
    let sandbox: Sandbox
    before(async () => (sandbox = await startSandbox({ port: 0 })))
    after(() => sandbox.close())

    it('gives one document when the connection broke after the service had acted', async () => {
      const client = bench.client({
        baseUrl: sandbox.url,
        clientId: 'sandbox',
        clientSecret: 'sandbox',
        scopes: ['document_read', 'document_write'],
      })
      const contract = {
        externalId: 'contract-of-ola',
        title: 'Contract',
        contactDetails: { email: 'ola.nordmann@example.com' },
        dataToSign: { base64Content: 'SGVp', fileName: 'contract.txt' },
        signers: [
          {
            externalSignerId: 'signer-1',
            redirectSettings: { redirectMode: 'donot_redirect' },
            signatureType: { mechanism: 'pkisignature' },
          },
        ],
      }
      should(await findDocument(client, 'contract-of-ola')).be.undefined()
      const made = await createDocument(client, contract)
      const again = await findDocument(client, 'contract-of-ola')
      should(again?.data).have.property('documentId', (made.data as { documentId: string }).documentId)
    })
  })
})
