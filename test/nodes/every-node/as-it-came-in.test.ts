/**
 * A message is sent as it was when it came in, whatever other nodes do to its objects meanwhile. Three messages share one
 * object that is changed between them, all before the first call can have got its token.
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isTyped, type Fields } from '../../../lib/settings/fields'
import { isRelevant } from '../../../lib/settings/validation'
import { storedIn } from '../../../lib/runtime/values/origins'
import type { NodeConfig } from '../../../lib/runtime/node-red/node-red'
import batch from '../../../nodes/batch/batch'
import events from '../../../nodes/events/events'
import terminate from '../../../nodes/deposit-terminate/deposit-terminate'
import { goodSettings } from '../../support/good-settings'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { FlowMessage, NodeModuleLike } from '../../support/node-types'
import { removeFlow, startFlow } from '../../support/flow'
import { startService, type Recorded, type Service } from '../../support/service'
import { until } from '../../support/time'

const marks = ['P1', 'P2', 'P3'] as const

/** The markers in a text, also in a file in base64. */
const marksIn = (text: string) => {
  const files = [...text.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)].map(([one]) =>
    Buffer.from(one, 'base64').toString('latin1'),
  )
  return [...new Set([text, ...files].join(' ').match(/P[123]/g) ?? [])]
}

interface Shared {
  readonly settings: Readonly<Record<string, unknown>>
  /** Changes the object that all messages share. */
  readonly change: (mark: string) => void
  readonly message: () => FlowMessage
}

/** The settings of the form, each taken from the object `deal` of the message. */
function fromMessage(fields: Fields, base: Readonly<Record<string, unknown>>): Shared {
  const deal: Record<string, unknown> = {}
  const changes: ((mark: string) => void)[] = []
  const move = (own: Fields, from: Readonly<Record<string, unknown>>, prefix: string): Record<string, unknown> => {
    const settings: Record<string, unknown> = { ...from }
    const stored = storedIn(from as NodeConfig)
    for (const [name, field] of Object.entries(own)) {
      const value = from[name]
      const place = `${prefix}${name}`
      if (!isTyped(field) || !isRelevant(field, own, stored)) continue
      const rows: unknown = from[`${name}Rows`]
      if (field.rows && Array.isArray(rows))
        settings[`${name}Rows`] = rows.map((row: unknown, index): unknown =>
          isPlainObject(row) ? move(field.rows ?? {}, row, `${place}${index}`) : row,
        )
      const isFree =
        field.kind === 'id' ||
        (field.kind === 'string' && !field.rule && !field.choices && /^[A-Z]/.test(String(value)))
      if (field.kind === 'file' && from[`${name}Type`] === 'base64') {
        const bytes = Buffer.from('%PDF-1.4 P0 lease')
        deal[place] = bytes
        changes.push((mark) => void bytes.write(mark, 9))
      } else if (isFree && typeof value === 'string') changes.push((mark) => (deal[place] = `${value} ${mark}`))
      else continue
      // An expression is evaluated later than a property is read, and delays the settings after it.
      const type = field.kind === 'file' || changes.length % 2 === 0 ? 'msg' : 'jsonata'
      Object.assign(settings, { [name]: `deal.${place}`, [`${name}Type`]: type })
    }
    return settings
  }
  const settings = move(fields, base, '')
  return { settings, change: (mark) => changes.forEach((one) => one(mark)), message: () => ({ deal }) }
}

/** A request in the payload that goes out as it is. */
function asItIs(settings: object, make: (mark: string) => object): Shared {
  const payload = {}
  const ids = { depositId: 'dep-1', documentId: 'd-1', shareId: 'sh-1' }
  return {
    settings: { ...settings },
    change: (mark) => void Object.assign(payload, make(mark)),
    message: () => ({ ...ids, payload }),
  }
}

const expires = new Date(Date.now() + 86_400_000).toISOString()
const file = (mark: string) => ({
  base64Content: Buffer.from(`lease ${mark}`).toString('base64'),
  fileName: 'lease.txt',
})
const bodies: readonly [name: string, call: string, settings: object, make: (mark: string) => object][] = [
  [
    'create-document',
    'createDocument',
    {},
    (mark) => ({
      title: `Lease ${mark}`,
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: file(mark),
      signers: [
        {
          externalSignerId: `ola-${mark}`,
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
        },
      ],
    }),
  ],
  [
    'document',
    'updateDocument',
    { operation: 'update' },
    (mark) => ({ title: `Lease ${mark}`, advanced: { tags: [mark] } }),
  ],
  [
    'share',
    'changeShare',
    { operation: 'change' },
    (mark) => ({ information: { title: `Payroll ${mark}`, description: 'May' } }),
  ],
  [
    'share-create',
    'createBucket',
    {},
    (mark) => ({
      information: { title: `Payroll ${mark}`, description: 'May' },
      content: [{ id: 'file-1', name: `May ${mark}`, type: 'file' }],
      recipients: [
        {
          firstName: 'Ola',
          lastName: mark,
          email: 'ola.nordmann@example.com',
          expires,
          mobile: { countryCode: '47', number: '99999999' },
          uploads: ['file-1'],
          authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
        },
      ],
    }),
  ],
  [
    'deposit',
    'createDeposit',
    { operation: 'create' },
    (mark) => ({
      landlord: { name: `Kari ${mark}` },
      tenants: [{ info: { firstName: 'Ola', lastName: mark, email: 'ola.nordmann@example.com' } }],
      contract: { monthlyRent: 9000, depositFactor: 3 },
    }),
  ],
  [
    'deposit-terminate',
    'terminateDeposit',
    {},
    (mark) => ({ category: 'SPLIT', username: mark, amount: { tenant: Number(mark[1]), landlord: 5 } }),
  ],
  [
    'identification-session',
    'createSession',
    { operation: 'create', apiVersion: 'v2' },
    (mark) => ({
      flow: 'redirect',
      externalReference: mark,
      redirectSettings: {
        successUrl: `https://example.com/${mark}`,
        abortUrl: 'https://example.com/a',
        errorUrl: 'https://example.com/e',
      },
    }),
  ],
  [
    'request',
    'createShare',
    { method: 'POST', path: '/share/', pathType: 'str' },
    (mark) => ({ information: { title: mark } }),
  ],
]

describe('a message', () => {
  let service: Service
  let folder: string
  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(tmpdir(), 'eid-as-it-came-'))
  })
  after(async () => {
    await service.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => service.reset())
  afterEach(removeFlow)

  const sendThree = async (
    type: string,
    module: NodeModuleLike,
    { settings, change, message }: Shared,
    client: object = {},
  ) => {
    const flow = await startFlow({
      type: `eid-${type}`,
      module,
      settings,
      outputs: 2,
      client: { baseUrl: service.url, ...client },
    })
    for (const mark of marks) {
      change(mark)
      flow.send(message())
    }
    change('P9')
    // A message ends on an output, at the Catch node or, in a node without outputs, with its completion only.
    await until(() => Math.max(flow.waiting().out + flow.waiting().caught, flow.waiting().completed) >= marks.length)
    return flow
  }
  /** The markers on the wire, one for each request that has any. */
  const onTheWire = async () => {
    const texts = (await service.requests()).map(({ path, query, body }: Recorded) =>
      JSON.stringify([path, query, body]),
    )
    return texts.map((text) => marksIn(decodeURIComponent(text))).filter((one) => one.length > 0)
  }
  const shouldBeOwn = async () => {
    const found = await onTheWire()
    for (const one of found) should(one).have.length(1)
    should([...new Set(found.flat())].sort()).deepEqual([...marks])
  }
  const moduleOf = async (name: string) =>
    ((await import(`../../../nodes/${name}/${name}`)) as { default: NodeModuleLike }).default
  const fieldsOf = async (name: string) =>
    ((await import(`../../../nodes/${name}/${name}.fields`)) as { fields: Fields }).fields

  for (const [name, make] of Object.entries(goodSettings)) {
    for (const [index, base] of make.entries()) {
      const { operation = '', what = '', apiVersion = '', flow = '' } = base
      // These have no value of their own kind to change; they are among the requests in the payload below.
      if (
        operation === 'list' ||
        name === 'pending' ||
        // Nothing leaves it until a person has approved; `approve/attacks` changes the message afterwards.
        name === 'approve' ||
        name === 'request' ||
        ('apiVersion' in base && operation === 'create')
      )
        continue
      const title = [name, operation, what, apiVersion, flow, index].filter((one) => one !== '').join(' ')
      it(`is sent as it came in by its settings: ${title}`, async () => {
        const own = operation === 'archive' ? { ...base, archiveFolder: folder } : base
        const shared = fromMessage(await fieldsOf(name), own)
        should(JSON.stringify(shared.settings)).containEql('deal.')
        await sendThree(name, await moduleOf(name), shared)
        await shouldBeOwn()
      })
    }
  }

  for (const [name, call, settings, make] of bodies) {
    it(`is sent as it came in when its payload is the request: ${name} ${Object.values(settings)[0] ?? ''}`, async () => {
      await sendThree(name, await moduleOf(name), asItIs(settings, make))
      await shouldBeOwn()
    })

    it(`is sent as it came in at the retry after a 429: ${name} ${Object.values(settings)[0] ?? ''}`, async () => {
      await service.fault({ operation: call, kind: 'status', status: 429, retryAfter: '0' })
      await sendThree(name, await moduleOf(name), asItIs(settings, make), { concurrency: 1, retries: 2 })
      const statuses = (await service.requests(call)).map(({ status }) => status)
      should(statuses.filter((status) => status === 429)).have.length(1)
      should(statuses).have.length(marks.length + 1)
      await shouldBeOwn()
    })
  }

  it('is split as it was checked', async () => {
    const payload = { category: 'SPLIT', username: 'kari', amount: { tenant: 25_000, landlord: 2_000 } }
    const settings = { expectedTotal: '27000' }
    const client = { baseUrl: service.url }
    const flow = await startFlow({ type: 'eid-deposit-terminate', module: terminate, settings, client })
    flow.send({ depositId: 'deposit-funded-2', payload })
    payload.amount = { tenant: 999_999, landlord: 0 }
    await flow.next()
    const [sent] = await service.requests('terminateDeposit')
    should(sent?.body?.amount).deepEqual({ tenant: 25_000, landlord: 2_000 })
  })

  for (const kind of ['flow', 'global'] as const)
    it(`is sent with the values that the ${kind} context had when it came in`, async () => {
      const amount = { amountTenant: 'part', amountTenantType: kind }
      const settings = {
        category: 'SPLIT',
        username: '$uppercase("kari")',
        usernameType: 'jsonata',
        body: 'deal',
        bodyType: kind,
        ...amount,
      }
      const client = { baseUrl: service.url }
      const flow = await startFlow({ type: 'eid-deposit-terminate', module: terminate, settings, client })
      const deal = { category: 'SPLIT', amount: { landlord: 0 } }
      const context = flow.node().context()[kind]
      context.set('deal', deal)
      for (const part of [1, 2, 3, 9]) {
        deal.amount.landlord = part
        context.set('part', part)
        if (part < 9) flow.send({ depositId: 'deposit-funded-2' })
      }
      for (const _part of marks) await flow.next()
      const amounts = (await service.requests('terminateDeposit')).map(({ body }) => JSON.stringify(body?.amount))
      should(amounts.sort()).deepEqual([1, 2, 3].map((part) => JSON.stringify({ landlord: part, tenant: part })))
    })

  it('is a list as it came in', async () => {
    const rows = [{ name: 'P0' }]
    const shared = {
      settings: {},
      change: (mark: string) => void Object.assign(rows[0] ?? {}, { name: mark }),
      message: () => ({ payload: rows, batchId: JSON.stringify(rows) }),
    }
    const flow = await sendThree('batch', batch, shared)
    const names = []
    for (const _mark of marks) names.push(((await flow.next()).payload as { name: string }).name)
    should(names.sort()).deepEqual([...marks])
  })

  it('is an event as it came in', async () => {
    const event = { id: '' }
    const shared = {
      settings: { eventId: 'event.id', eventIdType: 'msg', acknowledge: 'when-returned', interval: 3600 },
      change: (mark: string) => void (event.id = `e-${mark}`),
      message: () => ({ event }),
    }
    await sendThree('events', events, shared)
    await shouldBeOwn()
  })
})
