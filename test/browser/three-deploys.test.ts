/**
 * Every setting of every node, filled in by hand and deployed three times, with a run in between: the flow file contains
 * exactly what was typed, and opening and closing a form changes nothing.
 *
 * @rest
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { Field, Fields } from '../../lib/settings/fields'
import { isRelevant, type ReadStored } from '../../lib/settings/validation'
import { fieldsOf, onCanvas } from '../support/house'
import { until } from '../support/time'
import { useEditor } from './support/desk'
import { fillForm, finishForm, openForm, type Typed } from './support/walked-form'
import { deploy, dragNode, settingsOf, type EditorPage, type NodeRed } from '../support/node-red/editor'

/** Values for settings whose rule, or whose node, would refuse other values. */
const samples: Readonly<Record<string, string>> = {
  url: 'https://example.com/walked?x=1&y=æ',
  origin: 'https://example.com',
  origins: 'https://example.com',
  dateTime: '2031-02-03T04:05:00+01:00',
  day: '1990-02-03',
  shortDay: '030290',
  email: 'ola.nordmann@example.com',
  'email:tpl': '{email}',
  'contactEmail:tpl': '{email}',
  'signedFileTo:tpl': '{email}',
  'signedFileTo:json': '["ola.nordmann@example.com"]',

  'mobileCountryCode:tpl': '{code}',
  'mobileNumber:tpl': '{phone}',
  'mobile:tpl': '{phone}',
  emails: 'ola.nordmann@example.com, kari.nordmann@example.com',
  phone: '99999999',
  countryCode: '47',
  documentName: 'walked.pdf',
  'fileName:tpl': '{Last name}.pdf',
  'saveTo:tpl': 'signed/{Last name}.pdf',
  ownId: 'walked-1',
  colour: '#123456',
  kid: '1234567897',
  timeOfDay: '09:30',
  dayList: '3, 7, 12',
  'rows:json': '[{"a": 1}]',
  channel: 'off',
  domains: 'example.com example.org',
  'mobileCountryCode:num': '47',
  'mobileNumber:num': '99999999',
  'requiredSignatures:num': '1',
  'expectedTotal:num': '14',
  packaging: 'pades',
  methods: 'no_eid, sms_otp',
  // The list of approvers gets one row.
  required: '1',
}

interface Walked {
  readonly id: string
  readonly name: string
  readonly chosen: string
  readonly typed: Typed
}

describe('three deploys', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  it('keep what was typed into each setting of each node, and change nothing', async () => {
    const walked: Walked[] = []
    let count = 0
    for (const name of onCanvas) {
      const fields = await fieldsOf(name)
      const [setting, all] = choicesOf(fields)
      const choices = setting === undefined ? all : choicesWithAllFields(fields, setting, all)
      // Other tests cover dragging, so the other nodes are copies of the first.
      const first = await dragNode(page, `eid-${name}`)
      for (const [index, choice] of choices.entries()) {
        const id = index === 0 ? first : await copyOf(page, first, `${name}-${choice}`)
        await openForm(page, id)
        const chosen = setting === undefined ? {} : { [setting]: choice }
        const turn = walked.length
        const own = fields.path ? { ...samples, path: `/walked/${turn}` } : samples
        const filled = await fillForm(page, { id, fields, chosen, turn, samples: own })
        // Users are stored apart from the flow, but a node without users is marked.
        if (name === 'overview') await page.locator('#eid-users').fill('kari correct horse battery')
        await finishForm(page)
        count += filled.count
        walked.push({ id, name, chosen: choice, typed: filled.typed })
      }
    }
    await addTrigger(page, walked)
    const marked = await invalid(page, walked)
    should(marked).deepEqual([])

    const files: string[][] = []
    for (let round = 1; round <= 3; round++) {
      await touch(page, round)
      await deploy(page)
      const stored = await storedIn(red, round)
      for (const { id, name, chosen, typed } of walked) {
        should(JSON.stringify(part(stored[id], typed))).equal(JSON.stringify(typed), `${name} ${chosen}, ${round}`)
      }
      files.push(walked.map(({ id }) => JSON.stringify(stored[id])))
      should(files[round - 1]).deepEqual(files[0], `what the deploy ${round} stored`)
      // One reopening is enough: the next deploys show that the file stays as it is.
      if (round > 1) continue
      await run(red, page, walked)
      for (const { id, name, chosen } of walked) {
        const before = JSON.stringify(await settingsOf(page, id))
        await openForm(page, id)
        await finishForm(page)
        should(JSON.stringify(await settingsOf(page, id))).equal(before, `${name} ${chosen} reopened`)
        should(await isChanged(page, id)).equal(false, `${name} ${chosen} is changed by opening it`)
      }
    }
    console.log(`      ${onCanvas.length} nodes, ${walked.length} operations, ${count} fields, 3 deploys`)
  })
})

/** The setting that chooses what a node does, and its choices. */
function choicesOf(fields: Fields): [string | undefined, readonly string[]] {
  const name = ['operation', 'what', 'acknowledge', 'category'].find((one) => fields[one])
  const field = name === undefined ? undefined : fields[name]
  return field ? [name, field.choices ?? field.suggestions ?? ['']] : [undefined, ['']]
}

/** The fewest choices, from the first on, with which each setting of the node is shown at least once. */
function choicesWithAllFields(fields: Fields, setting: string, all: readonly string[]): readonly string[] {
  const unseen = new Set(Object.keys(fields))
  return all.filter((choice) => {
    const read: ReadStored = (name) => ({ value: name === setting ? choice : fields[name]?.initial })
    const shown = Object.keys(fields).filter((name) => isRelevant(fields[name] as Field, fields, read))
    return shown.filter((name) => unseen.delete(name)).length > 0
  })
}

const part = (stored: Typed | undefined, typed: Typed) =>
  Object.fromEntries(Object.keys(typed).map((name) => [name, stored?.[name]]))

interface EditorRed {
  nodes: {
    node(id: string): Record<string, unknown> & { valid?: boolean; validationErrors?: unknown }
    convertNode(node: object, credentials: boolean): Record<string, unknown>
    import(nodes: object[], options?: object): void
    dirty(is: boolean): void
  }
}
interface Window {
  RED: EditorRed
}

/** Adds a copy of this node that was not edited yet. */
function copyOf(page: EditorPage, id: string, name: string): Promise<string> {
  return page.evaluate(
    ([of, own]) => {
      const { RED } = window as unknown as Window
      const node = RED.nodes.node(of)
      const fresh = Object.fromEntries(
        Object.entries((node._def as { defaults: Record<string, { value: unknown }> }).defaults).map(
          ([key, { value }]) => [key, value],
        ),
      )
      const { type, z, client } = RED.nodes.convertNode(node, false)
      const made = { ...fresh, ...(client !== undefined && { client }), id: own, type, z, x: 300, y: 300, wires: [] }
      RED.nodes.import([made], { generateIds: false })
      return own
    },
    [id, name] as const,
  )
}

/** Adds a route that sends a message into each of the nodes. */
function addTrigger(page: EditorPage, walked: readonly Walked[]): Promise<void> {
  return page.evaluate(
    (ids) => {
      const { RED } = window as unknown as Window
      const taking = ids.filter((id) => (RED.nodes.node(id) as { inputs?: number }).inputs === 1)
      const { z } = RED.nodes.convertNode(RED.nodes.node(ids[0] ?? ''), false)
      RED.nodes.import([
        { id: 'walk', type: 'http in', z, url: '/walk', method: 'post', x: 100, y: 100, wires: [[...taking, 'done']] },
        { id: 'done', type: 'http response', z, x: 100, y: 200, wires: [] },
        { id: 'said', type: 'comment', z, name: '', x: 100, y: 300, wires: [] },
      ])
    },
    walked.map(({ id }) => id),
  )
}

/** Changes an unimportant node, so that there is something to deploy. */
function touch(page: EditorPage, round: number): Promise<void> {
  return page.evaluate((text) => {
    const { RED } = window as unknown as Window
    RED.nodes.node('said').name = text
    RED.nodes.node('said').changed = true
    RED.nodes.dirty(true)
  }, `round ${round}`)
}

/** The nodes in the flow file, once it contains this round's deploy. */
function storedIn(red: NodeRed, round: number): Promise<Record<string, Typed>> {
  const read = () => {
    const nodes = JSON.parse(readFileSync(join(red.userDir, 'flows.json'), 'utf8')) as Typed[]
    return Object.fromEntries(nodes.map((one) => [String(one.id), one]))
  }
  return until(() => {
    const nodes = read()
    return nodes.said?.name === `round ${round}` ? nodes : undefined
  })
}

/** Sends a message through the nodes, and waits until those that answer at once show the result. */
async function run(red: NodeRed, page: EditorPage, walked: readonly Walked[]): Promise<void> {
  const call = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
  await until(async () => (await fetch(`${red.url}/walk`, call)).ok)
  const ids = walked.filter(({ chosen }) => chosen === 'list').map(({ id }) => id)
  await page.waitForFunction((all) => {
    const { RED } = window as unknown as Window
    return all.every((id) => RED.nodes.node(id).status !== undefined)
  }, ids)
}

function invalid(page: EditorPage, walked: readonly Walked[]): Promise<string[]> {
  return page.evaluate(
    (ids) => {
      const { RED } = window as unknown as Window
      return ids
        .map((id) => RED.nodes.node(id))
        .filter((node) => node.valid === false)
        .map((node) => `${String(node.id)} ${String(node.type)}: ${JSON.stringify(node.validationErrors)}`)
    },
    walked.map(({ id }) => id),
  )
}

function isChanged(page: EditorPage, id: string): Promise<boolean> {
  return page.evaluate((wanted) => {
    const { RED } = window as unknown as Window
    return RED.nodes.node(wanted).changed === true
  }, id)
}
