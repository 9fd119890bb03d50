/** Flow files of earlier versions: they load, nothing in them was removed, and missing settings have their defaults. */
import { createHmac, randomUUID } from 'node:crypto'
import should from 'should'
import helper from 'node-red-node-test-helper'
import { isTyped, type Field, type Fields } from '../../../lib/settings/fields'
import { fieldsOf, nodeNames } from '../../support/house'
import { removeFlow, type Flow } from '../../support/flow'
import { act, type Parties } from '../../support/parties'
import type { PublicSide } from '../../support/public-site'
import { startService, type Recorded, type Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { fixtures, load, settingsOf, startSettings } from '../../support/stored-flows'
import { startWhole, webhookSecret, type StoredNode } from '../../support/stored-flows'
import type { FlowMessage } from '../../support/node-types'
import { until } from '../../support/time'

const everything = fixtures.flatMap(load)

describe('stored flows', () => {
  for (const name of nodeNames) {
    it(`hold every setting, column and choice of ${name}, with another value than the initial one`, async () => {
      const nodes = everything.filter(({ type }) => type === `eid-${name}`)
      should(unheld(await fieldsOf(name), nodes)).deepEqual([], 'no test/fixtures/flows-*.json holds these')
    })
  }

  for (const path of fixtures) {
    const flow = load(path)
    describe(path, () => {
      it('holds nothing that this version has no use for', async () => {
        for (const node of flow.filter(({ type }) => type.startsWith('eid-'))) {
          const fields = await fieldsOf(node.type.replace('eid-', ''))
          const known = Object.entries(fields).flatMap(([setting, field]) => propertiesOf(setting, field))
          should(Object.keys(settingsOf(node)).filter((property) => !known.includes(property))).deepEqual([], node.id)
          for (const [setting, { kind, choices = [] }] of Object.entries<Field>(fields)) {
            if (kind === 'choice' && setting in node)
              should(choices.includes(String(node[setting]))).equal(true, `${node.id}: ${setting}`)
          }
        }
      })

      it('holds every node whole, as the editor stores it', () => {
        const whole = new Map<string, string[]>()
        for (const node of flow.filter(({ type }) => type.startsWith('eid-'))) {
          const settings = Object.keys(settingsOf(node)).sort()
          should(settings).deepEqual(whole.get(node.type) ?? settings, node.id)
          whole.set(node.type, settings)
        }
      })
    })
  }
})

/**
 * The settings, columns and choices that none of these nodes uses, and the settings that have only their initial value.
 */
function unheld(fields: Fields, stored: readonly Readonly<Record<string, unknown>>[]): string[] {
  return Object.entries<Field>(fields).flatMap(([setting, field]) => {
    const held = (property: string, initial: unknown) =>
      stored.some((one) => one[property] !== undefined && one[property] !== initial)
    const missing = propertiesOf(setting, field).filter((property) => !stored.some((one) => property in one))
    const choices = field.kind === 'choice' ? (field.choices ?? []) : []
    const unchosen = choices.filter((choice) => !stored.some((one) => one[setting] === choice))
    const table = isTyped(field) ? field.rows : undefined
    const rows = stored.flatMap((one) => (one[`${setting}Rows`] ?? []) as Record<string, unknown>[])
    const other =
      held(setting, field.initial) || (isTyped(field) && held(`${setting}Type`, field.type)) || rows.length > 0
    return [
      ...missing,
      ...unchosen.map((choice) => `${setting}: ${choice}`),
      ...(other ? [] : [`${setting}, but for its initial value`]),
      ...(table ? unheld(table, rows).map((column) => `${setting}: ${column}`) : []),
    ]
  })
}

/** The properties that the editor stores for a setting. */
function propertiesOf(setting: string, field: Field): string[] {
  return Object.keys(dropped({ [setting]: field }))
}

/** What the editor stores for a node that was dropped on the canvas and not opened. */
function dropped(fields: Fields): Record<string, unknown> {
  return Object.assign(
    {},
    ...Object.entries<Field>(fields).map(([setting, field]) => {
      if (!isTyped(field)) return { [setting]: field.initial }
      const rows = field.rows && { [`${setting}Rows`]: [] }
      return { [setting]: field.initial, [`${setting}Type`]: field.type, ...rows }
    }),
  ) as Record<string, unknown>
}

describe('the flow file of 1.0', () => {
  const flow = load('test/fixtures/flows-1.0.json')
  let service: Service
  let site: PublicSide
  let parties: Parties
  const asDropped = (name: string) => settingsOf(flow.find(({ id }) => id === `${name}-dropped`) as StoredNode)
  const places = () => ({ service: service.url, site: site.url })

  useSides((sides) => ({ service, parties, site } = sides))
  afterEach(removeFlow)

  it('loads as a whole', async () => {
    process.env.EID_TEST_FOLDER = __dirname
    try {
      await startWhole(flow, places(), site.module)
      // The nodes of a subflow only exist in its instances.
      const own = flow.filter(({ type, z }) => type !== 'tab' && type !== 'subflow' && z !== 'subflow')
      const absent = own.filter(({ id }) => !helper.getNode(id))
      should(absent.map(({ id }) => id)).deepEqual([])
    } finally {
      delete process.env.EID_TEST_FOLDER
    }
  })

  it('holds every node as it is when it was dropped and not opened', async () => {
    for (const name of nodeNames) {
      const stored = asDropped(name)
      const initial = Object.entries(dropped(await fieldsOf(name)))
      // Settings of later versions are missing in this version's flow file.
      should(stored).deepEqual(Object.fromEntries(initial.filter(([property]) => property in stored)))
    }
  })

  it('means its defaults where it has no settings of client', async () => {
    const seen: unknown[] = []
    for (const client of [asDropped('client'), {}]) {
      // A new sandbox, because tokens are kept as long as the process lives.
      const own = await startService()
      try {
        await own.fault({ operation: 'listThemes', kind: 'status', status: 503, count: 2 })
        const settings = { path: '/signature/themes/list/themes' }
        const running = await startSettings(
          'eid-request',
          settings,
          client,
          { ...places(), service: own.url },
          site.module,
        )
        running.send({})
        seen.push(same([await first(running), wire(await own.requests())]))
        should(await own.requests('listThemes')).have.length(3)
        await removeFlow()
      } finally {
        await own.close()
      }
    }
    should(seen[1]).deepEqual(seen[0])
  })

  // These nodes do nothing without settings, a call or an event; their own tests start them without settings.
  for (const name of nodeNames.filter((one) => !['client', 'store', 'overview', 'alerts'].includes(one))) {
    it(`means its defaults where it has no settings of ${name}`, async () => {
      const client = asDropped('client')
      const type = `eid-${name}`
      const seen: unknown[] = []
      for (const settings of [asDropped(name), {}]) {
        await service.reset()
        const { msg, after } = (await stimuli[name]?.({ parties, service, site })) ?? {}
        const before = (await service.requests()).length
        const running = await startSettings(type, settings, client, places(), site.module)
        if (msg) running.send(msg)
        await after?.(running)
        const answer = await first(running)
        const asked = (await service.requests()).slice(before)
        // Only the first one requests a token.
        seen.push(same([answer, wire(asked.filter(({ path }) => !path.endsWith('/token')))]))
        await removeFlow()
      }
      should(seen[1]).deepEqual(seen[0])
    })
  }
})

interface Around {
  readonly parties: Parties
  readonly service: Service
  readonly site: PublicSide
}

type Stimulus = (around: Around) => Promise<{ msg?: FlowMessage; after?: (flow: Flow) => Promise<unknown> }>

const us = 'https://us.example'
const expires = new Date(Date.now() + 5 * 86_400_000).toISOString()
const share = {
  information: { title: 'Payslips', description: 'For May' },
  content: [{ id: 'slip-1', name: 'Payslip', type: 'file' }],
  recipients: [
    {
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      expires,
      mobile: { countryCode: '47', number: '99999999' },
      uploads: ['slip-1'],
      authentication: [{ identityProvider: 'NO_EID_WEB' }],
    },
  ],
}

/** What makes each kind of node do something; a node finds all data in the message. */
const stimuli: Readonly<Record<string, Stimulus>> = {
  // Without settings, there is no folder to write to, so the message is refused.
  archive: () => Promise.resolve({ msg: { documentId: 'doc-1' } }),
  batch: () => Promise.resolve({ msg: { payload: [{ flat: 'H0101' }], batchId: randomUUID() } }),
  'create-document': () =>
    Promise.resolve({
      msg: {
        payload: {
          title: 'Lease',
          externalId: 'lease-0001',
          contactDetails: { email: 'kari.nordmann@example.com' },
          dataToSign: { fileName: 'a.txt', base64Content: 'YWdyZWVk' },
          signers: [
            {
              externalSignerId: 'ola-1',
              redirectSettings: { redirectMode: 'donot_redirect' },
              signatureType: { mechanism: 'pkisignature' },
            },
          ],
        },
      },
    }),
  'deposit-cancel': () => Promise.resolve({ msg: { depositId: 'deposit-unfunded-1' } }),
  'deposit-terminate': () =>
    Promise.resolve({ msg: { depositId: 'deposit-funded-1', payload: { category: 'TENANT', username: 'ola' } } }),
  deposit: () => Promise.resolve({ msg: { depositId: 'deposit-funded-1' } }),
  document: async ({ parties }) => ({ msg: { documentId: (await parties.createDocument('lease-1')).documentId } }),
  // Without settings, no one may approve, so the message is refused.
  approve: () => Promise.resolve({ msg: {} }),
  embed: async ({ parties }) => {
    const { documentId, signers } = await parties.createDocument('lease-1')
    return { msg: { documentId, payload: { url: signers[0]?.url } } }
  },
  events: ({ service }) => {
    service.sandbox.world.emit('document_signed', { documentId: 'doc-1' }, ['rent'])
    return Promise.resolve({ after: () => until(async () => (await service.requests('handleEvents'))[0]) })
  },
  'identification-session': () =>
    Promise.resolve({
      msg: {
        payload: {
          flow: 'iframe',
          allowedProviders: ['no_eid_mobile'],
          iframeSettings: { parentDomains: [us], postMessageTargetOrigin: us },
        },
      },
    }),
  pending: () => Promise.resolve({ msg: {} }),
  request: () => Promise.resolve({ msg: {} }),
  share: async ({ parties }) => {
    const { id } = await parties.call<{ id: string }>('POST', '/share/buckets/', share)
    return { msg: { shareId: id } }
  },
  'share-create': () => Promise.resolve({ msg: { payload: share } }),
  'share-upload': async ({ parties }) => {
    const { id } = await parties.call<{ id: string }>('POST', '/share/buckets/', share)
    return { msg: { shareId: id, contentId: 'slip-1', payload: Buffer.from('payslip'), filename: 'May.txt' } }
  },
  wait: async ({ parties }) => {
    const { documentId, signers } = await parties.createDocument('lease-1')
    await act(signers[0]?.url ?? '')
    return { msg: { documentId } }
  },
  webhook: ({ site }) =>
    Promise.resolve({
      after: async () => {
        const body = JSON.stringify({
          id: randomUUID(),
          type: 'document_signed',
          payload: { documentId: 'doc-1' },
          tags: null,
        })
        const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
        const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
        should((await fetch(`${site.url}/eid/webhook`, { method: 'POST', headers, body })).status).equal(204)
      },
    }),
}

/** The first message at any output, or the error. */
async function first(flow: Flow): Promise<unknown> {
  const outputs = [0, 1, 2].map(async (output) => ({ output, msg: await flow.next(output) }))
  return Promise.race([...outputs, flow.caught().then(({ error }) => ({ error: [error.code, error.message] }))])
}

const wire = (asked: readonly Recorded[]) => asked.map(({ method, path, query, body }) => [method, path, query, body])

/** The value as text, without the parts that differ each time. */
function same(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'MOMENT')
    .replace(/eyJ[\w.-]+/g, 'JWT')
    .replace(/"batch-[\da-f]{32}"/g, '"KEY"')
    .replace(/"_msgid":"\w+"/g, '"_msgid":"ID"')
    .replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, 'TOKEN')
    .replace(/"seconds":[\d.]+/g, '"seconds":0')
  return JSON.parse(text)
}
