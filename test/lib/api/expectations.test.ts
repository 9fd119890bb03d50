/** For every operation: a response without the data that the operation promises is a failure. */
import should from 'should'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expectations } from '../../../lib/api/operations/expectations'
import { operations, type OperationName } from '../../../lib/api/operations/operations'
import { failure, startScriptedService, type ScriptedService } from '../../support/scripted-service'
import type { Scripted } from '../../support/servers/server'

/** Operations that promise data: a response with just enough data, and others with too little. */
const promised: Partial<Record<OperationName, { good: unknown; bad: unknown[] }>> = {
  createDocument: {
    good: { documentId: 'd' },
    // A document without signers is not what was requested.
    bad: [{ documentId: 5 }, { documentId: '' }, { id: 'd' }, { documentId: 'd', signers: [] }],
  },
  createDeposit: { good: { id: 'd' }, bad: [{ id: 5 }, { id: '' }, { id: null }, { id: {} }] },
  createBucket: { good: { id: 's' }, bad: [{ id: 5 }, { id: '' }, { shareId: 's' }] },
  createShare: { good: { id: 's' }, bad: [{ id: 5 }, { id: '' }, { id: ['s'] }] },
  createSession: { good: { id: 's' }, bad: [{ id: 5 }, { id: '' }, { url: 'u' }] },
  v1CreateSession: { good: { RequestId: 'r' }, bad: [{ RequestId: 5 }, { requestId: 'r' }, { RequestId: '' }] },
  createWebhook: { good: { id: 7 }, bad: [{ id: 1.5 }, { id: '' }, { id: true }] },
  addSigner: { good: { id: 's' }, bad: [{ id: 5 }, { id: '' }, { ok: true }] },
  addAttachment: { good: { id: 'a' }, bad: [{ id: 5 }, { id: '' }, { ok: true }] },
  addRecipient: { good: { id: 'r' }, bad: [{ id: 5 }, { id: '' }, { ok: true }] },
  listDocuments: { good: { data: [] }, bad: [{ data: {} }, { data: null }, { data: 'none' }] },
  listDeposits: { good: { data: [] }, bad: [{ data: {} }, { deposits: [] }] },
  listSessions: { good: { data: [] }, bad: [{ data: {} }, { items: [] }] },
  v1ListLog: { good: { List: [] }, bad: [{ List: {} }, { NextLink: '' }] },
}
const lists: OperationName[] = [
  'listThemes',
  'listSpinners',
  'listSignatureMethods',
  'listAccountSignatureMethods',
  'listSigners',
  'listAttachments',
  'listNotifications',
  'listShares',
  'listRecipients',
  'listAccountIdProviders',
  'listIdentificationLanguages',
  'listIdProviders',
  'listWebhooks',
  'listWebhookDeliveries',
  'pullEvents',
  'peekEvents',
  'listEventTypes',
]
const records: OperationName[] = [
  'validateJwt',
  'validateOlderJwt',
  'v1GetSessionStatus',
  'v1GetLogEntry',
  'v1StartMobile',
]
/** Operations that return a state, with the name of its property. */
const words: Partial<Record<OperationName, string>> = { getDocumentStatus: 'documentStatus', v1GetSession: 'Status' }
/** Operations that return the requested object: the name of its id, and the id in the path. */
const own: Partial<Record<OperationName, readonly [name: string, asked: string]>> = {
  getDocument: ['documentId', '1'],
  getDocumentSummary: ['documentId', '1'],
  getSigner: ['id', 's'],
  getAttachment: ['id', 'a'],
  getRecipient: ['id', 'r'],
  getDeposit: ['id', '1'],
  getBucket: ['id', '1'],
  getShare: ['id', '1'],
  getSession: ['id', '1'],
  getWebhook: ['id', '1'],
}
/** Operations whose responses are known to contain the id. */
const always: OperationName[] = ['getDocument', 'getDocumentSummary', 'getBucket', 'getSession']
/** Operations with an effect. Their response may be empty, but must not be the record of another object. */
const changes: Partial<Record<OperationName, readonly [name: string, asked: string]>> = {
  updateDocument: ['documentId', '1'],
  changeSigner: ['id', 's'],
  changeAttachment: ['id', 'a'],
  changeDeposit: ['id', '1'],
  changeShare: ['id', '1'],
  changeRecipient: ['id', 'r'],
  updateWebhook: ['id', '1'],
  cancelDocument: ['documentId', '1'],
  remindDocument: ['id', '1'],
  removeSigner: ['id', 's'],
  removeAttachment: ['id', 'a'],
  cancelDeposit: ['id', '1'],
  terminateDeposit: ['depositId', '1'],
  deleteShare: ['id', '1'],
  removeRecipient: ['id', 'r'],
  invalidateSession: ['sessionId', '1'],
  deleteWebhook: ['id', '1'],
}
/** Operations with an effect. Their response may be empty, or an object without an id. */
const done: OperationName[] = [
  'v1InvalidateSession',
  'v1InvalidateSessionByBody',
  'uploadToBucket',
  'uploadToShare',
  'uploadFileToShare',
  'notifyRecipients',
  'pingWebhook',
]
/** Responses with which the service refuses. */
const errors = [{ message: 'Not funded', code: 'X' }, { errors: [{ field: 'a' }] }, { error: 'no' }]
const files: OperationName[] = ['getDocumentFile', 'getSignerFile', 'getAttachmentFile', 'getAttachmentSignerFile']
const empty: Scripted[] = [{ status: 200 }, { status: 204 }, { body: ' ' }, { body: 'null' }]
const neither: Scripted[] = [{ body: [] }, { body: '"hi"' }, { body: '5' }, { body: 'true' }]
const odd: Scripted[] = [...empty, ...neither, { body: {} }]

describe('a success is one', () => {
  let bench: ScriptedService
  beforeEach(async () => (bench = await startScriptedService()))
  afterEach(() => bench.close())
  const params = { id: '1', contentId: 'c', year: '2030', signerId: 's', attachmentId: 'a', recipientId: 'r' }
  const call = (name: OperationName, as?: 'buffer' | 'stream') =>
    bench.client({ retries: 0 }).send(name, { params, body: {}, as })

  const refuses = async (name: OperationName, answers: readonly Scripted[]) => {
    for (const answer of answers) {
      bench.server.answer(answer)
      const error = await failure(call(name))
      should(error.code).equal('EID_SERVICE', JSON.stringify(answer))
      should(error.cause).match({ outcome: 'unknown', attempts: 1, method: operations[name].method })
      error.message.should.containEql('does not contain')
    }
  }
  const takes = async (name: OperationName, answer: Scripted) => {
    bench.server.answer(answer)
    await call(name)
  }

  for (const name of Object.keys(operations) as OperationName[]) {
    it(`of ${name}: ${JSON.stringify(expectations[name])}`, async () => {
      const { good, bad } = promised[name] ?? {}
      if (good !== undefined) {
        await refuses(name, [...odd, ...(bad ?? []).map((body) => ({ body }))])
        return takes(name, { status: 201, body: { more: 1, ...(good as object) } })
      }
      if (lists.includes(name)) {
        await refuses(name, [...empty, { body: {} }, { body: { data: [] } }, { body: '"hi"' }])
        return takes(name, { body: [] })
      }
      if (records.includes(name)) {
        await refuses(name, [...empty, { body: {} }, { body: [] }, { body: '"hi"' }])
        return takes(name, { body: { anything: 1 } })
      }
      const word = words[name]
      if (word) {
        await refuses(name, [...odd, ...[{ [word]: '' }, { [word]: 5 }, { more: 'x' }].map((body) => ({ body }))])
        if (name === 'getDocumentStatus') await refuses(name, [{ body: { [word]: 'signed', documentId: 'another' } }])
        return takes(name, { body: { [word]: 'unsigned', documentId: '1' } })
      }
      const [id = '', asked] = own[name] ?? changes[name] ?? []
      if (own[name]) await refuses(name, odd)
      if (asked !== undefined) {
        await refuses(name, [{ body: { [id]: 'another' } }, { body: { [id]: 7 } }])
        await takes(name, { body: { [id]: asked.toUpperCase(), more: 1 } })
        // The service's description doesn't say that every response contains the id.
        const nameless = { body: { more: 1 } }
        await (always.includes(name) ? refuses(name, [nameless]) : takes(name, nameless))
        await refuses(
          name,
          errors.map((body) => ({ body })),
        )
        if (own[name]) return
        await refuses(name, [...neither, ...errors.map((body) => ({ body: { [id]: asked, ...body } }))])
        // An empty list of errors does not count as an error.
        for (const answer of [...empty, { body: {} }, { body: { errors: [], error: {} } }]) await takes(name, answer)
        return
      }
      if (files.includes(name)) return
      if (done.includes(name)) {
        await refuses(name, [...neither, ...errors.map((body) => ({ body }))])
        for (const answer of [...empty, { body: {} }]) await takes(name, answer)
        return
      }
      should(expectations[name]).equal('noError')
      await refuses(
        name,
        errors.map((body) => ({ body })),
      )
      for (const answer of odd) await takes(name, answer)
    })
  }

  it('is not one when only a part was done (207)', async () => {
    await refuses('changeDeposit', [{ status: 207, body: { id: '1' } }])
    await refuses('cancelDeposit', [{ status: 207 }])
  })

  it('of a file: some bytes, as Buffer or as stream', async () => {
    for (const name of files) {
      for (const answer of [{ status: 200 }, { status: 204 }, { body: '', headers: { 'Content-Length': '0' } }]) {
        for (const as of ['buffer', 'stream'] as const) {
          bench.server.answer(answer)
          const error = await failure(call(name, as)).catch((other: unknown) => other)
          should(error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown' } }, `${as} ${JSON.stringify(answer)}`)
        }
      }
      bench.server.answer({ body: 'x' })
      should((await call(name, 'buffer')).data).deepEqual(Buffer.from('x'))
    }
  })

  it('of a file: the whole of it, and no page or word of a gateway in its place', async () => {
    const other: Scripted[] = [
      ...['text/html; charset=utf-8', 'application/json', 'application/problem+json', 'application/xhtml+xml'].map(
        (type) => ({ body: '%PDF', headers: { 'Content-Type': type } }),
      ),
      { status: 202, body: '%PDF' },
      { status: 206, body: '%PDF', headers: { 'Content-Range': 'bytes 0-3/1000' } },
    ]
    const noPdf = [{ body: '<html>log in</html>' }, { body: `${'x'.repeat(1022)}%PDF` }]
    const refused = async (answer: Scripted, fileFormat: string) => {
      for (const as of ['buffer', 'stream'] as const) {
        bench.server.answer(answer)
        const asked = bench.client({ retries: 0 }).send('getDocumentFile', { id: '1', query: { fileFormat }, as })
        const error = await failure(asked)
        should(error).match({ code: 'EID_SERVICE' }, `${as} ${JSON.stringify(answer)}`)
      }
    }
    for (const answer of other) for (const format of ['pades', 'unsigned', 'native']) await refused(answer, format)
    for (const answer of noPdf) await refused(answer, 'pades')
  })

  it('of a file: what readers of its format take, with every byte', async () => {
    const client = bench.client({ retries: 0 })
    const texts = ['%PDF-1.7', ` \n${'x'.repeat(1000)}%PDF`, `%PDF${'y'.repeat(300_000)}`]
    for (const [fileFormat, body] of [
      ...texts.map((one) => ['pades', one]),
      ['unsigned', '<html>{}'],
      ['xades', '<x/>'],
    ]) {
      bench.server.answer({ body, headers: { 'Content-Type': 'text/plain' } })
      const options = { id: '1', query: { fileFormat } }
      should(String((await client.send('getDocumentFile', { ...options, as: 'buffer' })).data)).equal(body)
      const { data } = await client.send('getDocumentFile', { ...options, as: 'stream' })
      should(await text(data as Readable)).equal(body)
    }
  })

  it('is asked again for where asking changes nothing', async () => {
    bench.server.answer({ status: 204 }, { body: { data: [] } })
    should((await bench.client().send('listDocuments')).data).deepEqual({ data: [] })
    bench.waits.length.should.equal(1)
  })

  it('is not expected of calls that are in no table', async () => {
    bench.server.answer({ status: 204 })
    const answer = await bench.client().request({ method: 'POST', path: '/signature/documents', repeat: 'never' })
    should(answer).match({ status: 204, data: undefined })
  })
})
