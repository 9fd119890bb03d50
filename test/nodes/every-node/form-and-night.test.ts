/**
 * If the node always refuses a value, its form marks it. Every setting of every node, and every column of its lists,
 * gets values of all kinds; settings that the form accepts are sent.
 */
import helper from 'node-red-node-test-helper'
import should from 'should'
import client from '../../../nodes/client/client'
import { isTyped, type Field, type Fields } from '../../../lib/settings/fields'
import { isRelevant, type ReadStored } from '../../../lib/settings/validation'
import { ola } from '../../support/approve-flow'
import { loadForms, markedIn } from '../../support/form-verdicts'
import { goodSettings } from '../../support/good-settings'
import { fieldsOf } from '../../support/house'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'
import type { FlowMessage, NodeModuleLike } from '../../support/node-types'
import '../../support/flow'

type Settings = Readonly<Record<string, unknown>>
interface Variant {
  readonly what: string
  readonly settings: Settings
}

/** Refusals that a form cannot predict, each with the reason. */
const unknowable: readonly (readonly [what: RegExp, why: string])[] = [
  [/ file=path:/, 'which files the server has'],
  [/ (saveTo|archiveFolder)=/, 'which folders and system the server has'],
  [
    /^share-upload (contentId|file|files)=/,
    'the message may bring files, and then what one file needs is not asked for',
  ],
  [/ (title|landlordStreet|flow)=(tpl|str):$/, 'nothing is typed any more, so that the message may be the request'],
  [/ remind signers=json:/, 'a list of JSON that names no one: nobody types it'],
  [/ (content\[\] name=tpl:|recipients empty)$/, 'a row in which nothing was typed is not asked for anything yet'],
  [/^approve .* publicUrl=:?$/, 'with the sandbox, the address of Node-RED itself is used, and here it has none'],
  [/^approve .* proposer=/, 'who has proposed is on the message'],
  [/^approve .* approvers twice$/, 'the form gives each row an id of its own'],
  [/ (questions|content|recipients|tenants)=json:\[\{\}\]/, 'what a row of JSON lacks is said when it is sent'],
]

const texts = ['', ' ', 'x', '0', '-1', 'x y', '2020-01-31', '2199-01-31', 'a/b', 'C:\\Users\\ola', '[']
const byType: Readonly<Record<string, readonly string[]>> = {
  str: texts,
  tpl: ['', ' ', 'x', '{'],
  num: ['', '0', '-1', '1.5', 'x'],
  bool: ['true'],
  days: ['', '0', '-1', 'x'],
  json: ['', '{}', '[]', '[{}]', '"x"', 'null', '{', '[1]'],
  base64: ['x', 'QUJD'],
  path: ['', 'x'],
}

/** The types of the typed input whose value is known before a message arrives. */
function typesOf(field: Field): readonly string[] {
  if (!isTyped(field)) return []
  const usual = { number: 'num', boolean: 'bool', object: 'json', array: 'json', file: 'path' } as Readonly<
    Record<string, string>
  >
  return field.types ?? [...new Set([field.type, usual[field.kind] ?? 'str', ...(field.template ? ['tpl'] : [])])]
}

/** Settings with each value that can be typed into this field. */
function typedInto(name: string, field: Field): { readonly what: string; readonly over: Settings }[] {
  const known = [...(field.choices ?? []), ...(field.suggestions ?? [])]
  if (field.kind === 'label' || field.kind === 'config') return []
  if (field.kind === 'flag')
    return [true, false].map((value) => ({ what: `${name}=${value}`, over: { [name]: value } }))
  if (!isTyped(field)) {
    const values = field.kind === 'choice' ? known : texts
    return values.map((value) => ({ what: `${name}=${value}`, over: { [name]: value } }))
  }
  return typesOf(field).flatMap((type) =>
    [...(byType[type] ?? []), ...(type === 'str' ? known : [])].map((value) => ({
      what: `${name}=${type}:${value}`,
      over: { [name]: value, [`${name}Type`]: type },
    })),
  )
}

/**
 * These settings, once for each value in each field, and with other rows in their lists. A value that is in `known`, as
 * other settings of the node had it, is left out, unless it is empty: whether a field may be empty differs.
 */
function variantsOf(node: string, base: Settings, fields: Fields, known: Set<string>): Variant[] {
  const set = [base.operation, base.what, base.apiVersion, base.flow, base.category].filter(Boolean)
  const named = (what: string, over: Settings) => ({
    what: [node, ...set, what].join(' '),
    settings: { ...base, ...over },
  })
  const read: ReadStored = (name) => {
    const type = base[`${name}Type`] as string | undefined
    return { value: base[name], rows: base[`${name}Rows`], ...(type !== undefined && { type }) }
  }
  const relevant = Object.entries(fields).filter(
    ([name, field]) => name !== 'operation' && isRelevant(field, fields, read),
  )
  const single = relevant.flatMap(([name, field]) => typedInto(name, field).map(({ what, over }) => named(what, over)))
  const inRows = relevant.flatMap(([name, field]) => {
    if (!isTyped(field) || !field.rows) return []
    const [first = {}, ...rest] = (base[`${name}Rows`] as Settings[] | undefined) ?? []
    const rows = (what: string, ...all: Settings[]) => named(what, { [`${name}Rows`]: all, [`${name}Type`]: 'form' })
    const cells = Object.entries(field.rows as Fields).flatMap(([column, cell]) => typedInto(column, cell))
    return [
      ...cells.map(({ what, over }) => rows(`${name}[] ${what}`, { ...first, ...over }, ...rest)),
      rows(`${name} none`),
      rows(`${name} empty`, {}),
      rows(`${name} twice`, first, first),
    ]
  })
  const fresh = [...single, ...inRows].filter(({ what }) => {
    const change = what.slice([node, ...set].join(' ').length)
    if (known.has(change) && !change.endsWith(':')) return false
    known.add(change)
    return true
  })
  return [named('as it is', {}), ...fresh]
}

/** How each of these nodes ends a message: the code and the sentence of its error, or `done`. */
async function endsOf(name: string, settings: readonly Settings[], service: Service): Promise<string[]> {
  const { default: module } = (await import(`../../../nodes/${name}/${name}`)) as { default: NodeModuleLike }
  const place = { z: 'f', x: 1, y: 1 }
  const nodes = settings.map((one, index) => {
    // An approval waits for a person; its notice at the fourth output shows that the node has accepted the message.
    const wires = [[], [], [], [`notice${index}`]]
    // Only one node can have a path.
    const own = name === 'approve' && one.path === undefined ? { path: `/approve-${index}` } : {}
    return { id: `n${index}`, ...place, type: `eid-${name}`, client: 'c', wires, ...own, ...one }
  })
  const others = [
    { id: 'f', type: 'tab', label: 'test' },
    { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
    { id: 'catch', ...place, type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
    { id: 'errors', ...place, type: 'helper' },
    { id: 'complete', ...place, type: 'complete', scope: nodes.map(({ id }) => id), wires: [['ended']] },
    { id: 'ended', ...place, type: 'helper' },
    ...nodes.map((_one, index) => ({ id: `notice${index}`, ...place, type: 'helper' })),
  ]
  await helper.load([client, module], [...others, ...nodes], { c: { clientId: 'sandbox', clientSecret: 'sandbox' } })
  const ends = new Map<unknown, string>()
  helper.getNode('errors')?.on('input', ({ error, sentTo }: FlowMessage) => {
    const { code, message } = error as { code: string; message: string }
    ends.set(sentTo, `${code}: ${message}`)
  })
  helper.getNode('ended')?.on('input', ({ sentTo }: FlowMessage) => ends.set(sentTo, 'done'))
  nodes.forEach(({ id }, index) => helper.getNode(`notice${index}`)?.on('input', () => ends.set(id, 'done')))
  for (const { id } of nodes) helper.getNode(id)?.receive({ sentTo: id, payload: {}, identity: ola })
  // A wait stays pending, so it is reset when the others have ended.
  await until(() => name === 'wait' || ends.size === nodes.length)
  for (const { id } of name === 'wait' ? nodes : []) helper.getNode(id)?.receive({ sentTo: id, reset: true })
  await until(() => ends.size === nodes.length)
  for (const { id } of name === 'wait' ? nodes : []) await helper.getNode(id)?.close(true)
  await helper.unload()
  return nodes.map(({ id }) => ends.get(id) ?? '')
}

describe('what the form takes, the node does not refuse', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await loadForms()
  })
  after(() => service.close())

  for (const [name, bases] of Object.entries(goodSettings)) {
    it(name, async () => {
      const fields = await fieldsOf(name)
      const looksRight = ({ settings }: Variant) => {
        const marks = markedIn(name, { client: 'c', ...settings }, Object.keys(fields))
        return Object.keys(marks).length === 0
      }
      const known = new Set<string>()
      const all = bases.flatMap((base) => variantsOf(name, base, fields, known))
      const taken = all.filter(looksRight)
      // The form accepts all unchanged settings, and marks some of the changed ones.
      should(taken.filter(({ what }) => what.endsWith('as it is'))).have.length(bases.length)
      should(taken.length).be.below(all.length)
      const ends = await endsOf(
        name,
        taken.map(({ settings }) => settings),
        service,
      )
      const refused = taken
        .map(({ what }, index) => ({ what, end: ends[index] ?? '' }))
        .filter(({ end }) => /^EID_(INVALID_INPUT|CONFIG):/.test(end))
        .filter(({ what }) => !unknowable.some(([pattern]) => pattern.test(what)))
      should(refused.map(({ what, end }) => `${what} -> ${end}`)).deepEqual([])
    })
  }
})
