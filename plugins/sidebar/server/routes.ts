/** The routes of the tab: reading needs `eid.read`; actions and links need `eid.write`. */
import type { Answer } from '../../../lib/api/call/call'
import { editorJson, editorOnly, objectIn } from '../../../lib/runtime/http/editor-only'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listMetrics } from '../../../lib/runtime/monitor/client-metrics'
import {
  batchesOf,
  listBatches,
  listEndedBatches,
  type FailedRow,
  listRefusedBatches,
  type EndedBatch,
} from '../../../lib/runtime/monitor/batches'
import { isPlainObject } from '../../../lib/common/plain-object'
import { systemClock } from '../../../lib/store/clock'
import { toEidError } from '../../../lib/runtime/node-red/errors'
import type { HttpRequest, HttpResponse, Runtime } from '../../../lib/runtime/node-red/node-red'
import { rowSentence } from '../../../lib/runtime/monitor/error-sentence'
import { createTranslate, translateInto, type Translate } from '../../../lib/runtime/node-red/texts'
import { listEnded } from '../../../lib/runtime/monitor/ended'
import { findPending, listPending } from '../../../lib/runtime/monitor/pending'
import { otherReplicas, type Replica } from '../../../lib/runtime/monitor/replicas'
import { createActions } from '../../../lib/runtime/people/press'
import { hasFile, signedFile, viewOfDone } from './done'
import { createPacedList, sentencesOf } from '../../../lib/runtime/monitor/paced-list'
import { mostRows, waitingSorts, type BatchRow, type RemindedAnswer, type SidebarView } from '../view'
import { waitingActions, type ActionAnswer } from '../../../lib/page/view'
import { placeIn } from '../../../lib/runtime/people/pages'
import { createResting } from './resting'
import { remindMany, waitsIn } from './remind-many'
import { failed, gone, inWords, type Told } from '../../../lib/runtime/people/told'
import { canSaveRows, forgetRows, saveRows } from './save-again'
import { createTroubles } from './troubles'
import { inOrder } from '../../../lib/runtime/people/waits'
import { sortedBy, viewOfWaiting, withoutClient } from './waiting'

type Handle = (request: HttpRequest, response: HttpResponse) => Promise<void>

/** Milliseconds between two reads of the other Node-REDs' reports. */
const othersMs = 5000

export function registerRoutes(RED: Runtime): void {
  const wordsFor = (language: unknown) => wordsIn(RED, language)
  const pending = createPacedList(RED, () => listWaiting(RED))
  const ended = createPacedList(RED, () => listEnded(RED))
  const replicas = atIntervals(() => otherReplicas(RED))
  const actions = createActions(RED)
  const troubles = createTroubles(RED)
  const resting = createResting(RED, systemClock.now)
  const press = (path: string, act: (body: Record<string, unknown>, by: string) => Promise<Told>) =>
    post(RED, path, async (body, by) => inWords(await act(body, by), wordsFor(body.lang)))

  get(RED, '/eid/sidebar', 'eid.read', async ({ query, headers }, response) => {
    const wanted = { ...partIn(query.rows, query.after), find: decoded(headers['x-eid-find']) }
    const sort = waitingSorts.find((one) => one === query.sort) ?? 'until'
    const now = systemClock.epochNow()
    const { items, failures } = await pending()
    const others = await replicas()
    const from = <T>(pick: (one: Replica) => readonly T[]) =>
      others.flatMap((one) => pick(one).map((row) => ({ ...row, replica: one.name })))
    const waiting = await viewOfWaiting(RED, { items, failures }, wanted, now, await sortedBy(items, sort))
    const view: SidebarView = {
      now,
      waiting: {
        ...waiting,
        rows: waiting.rows.map((row) => withoutClient(RED, row)),
        failures: sentencesOf(failures, wordsFor(query.lang)),
      },
      resting: await resting.rows(),
      done: viewOfDone(RED, await ended(), partIn(query.done, query.doneAfter), query.lang),
      troubles: troubles.rows(others, query.lang),
      batches: await batchRows(RED, query.lang),
      clients: [...listMetrics(RED), ...from((one) => one.clients)],
    }
    response.json(view)
  })

  get(RED, '/eid/sidebar/file/:wait', 'eid.write', async ({ params, query }, response) => {
    const item = await findPending(RED, params.wait ?? '')
    const words = wordsFor(query.lang)
    if (item?.kind !== 'document') return response.status(404).json(inWords(gone, words))
    await sendFile(actions.file(item), response, words)
  })

  get(RED, '/eid/sidebar/done/:wait', 'eid.write', async ({ params, query }, response) => {
    const item = (await ended()).items.find((one) => one.wait === params.wait)
    const words = wordsFor(query.lang)
    if (!item || !hasFile(RED, item)) return response.status(404).json(inWords(gone, words))
    await sendFile(signedFile(RED, item), response, words)
  })

  get(RED, '/eid/sidebar/report', 'eid.write', async ({ query }, response) => {
    const { node, id } = query
    const report = typeof node === 'string' && typeof id === 'string' && (await batchesOf(RED, node)?.report?.(id))
    if (!report) return response.status(404).json(inWords(gone, wordsFor(query.lang)))
    response.set({
      'Content-Type': 'text/csv',
      'Content-Disposition': 'attachment',
      'X-Content-Type-Options': 'nosniff',
    })
    response.send(report)
  })

  press('/eid/sidebar/waiting', (body, by) => {
    const action = waitingActions.find((one) => one === body.action && one !== 'download')
    const { wait, reason } = body
    if (!action || typeof wait !== 'string') return Promise.resolve(gone)
    const again = body.again === true
    return actions.press({ action, wait, reason: typeof reason === 'string' ? reason : '', by, again })
  })

  post(RED, '/eid/sidebar/remind', async (body, by) => {
    const waits = waitsIn(body.waits)
    return waits ? remindMany(RED, waits, by, wordsFor(body.lang)) : { ok: false }
  })

  press('/eid/sidebar/troubles', (body) => troubles.press(body))

  get(RED, '/eid/sidebar/kept', 'eid.read', async (_request, response) => response.json(await resting.kept()))

  press('/eid/sidebar/resting', (body) => resting.press(body))

  press('/eid/sidebar/batches', (body) => pressBatch(RED, body))
}

/** Does what the button of a list asks for. */
async function pressBatch(RED: Runtime, { node, id, action }: Record<string, unknown>): Promise<Told> {
  if (action === 'saveAgain' && typeof id === 'string') return saveRows(RED, node, id)
  const batches = typeof node === 'string' ? batchesOf(RED, node) : undefined
  const what = (['pause', 'resume', 'dismiss', 'sendChanged', 'sendAnyway', 'forget'] as const).find(
    (one) => one === action,
  )
  const act = what && batches?.[what]
  if (!act || typeof id !== 'string') return gone
  if (what === 'dismiss')
    forgetRows(RED, listEndedBatches(RED).find((one) => one.id === id && one.node.id === node)?.failures)
  return act(id).then(
    (isThere) => (isThere ? { ok: true } : gone),
    (thrown: unknown) => failed(thrown, 0),
  )
}

/** The texts in the language of the requesting editor; without a language, in that of Node-RED. */
function wordsIn(RED: Runtime, language: unknown): Translate {
  const known = typeof language === 'string' ? translateInto(language, 'sidebar') : undefined
  return known ?? createTranslate(RED, 'sidebar', {})
}

async function listWaiting(RED: Runtime) {
  const { items, failures } = await listPending(RED)
  return { items: await inOrder(items), failures }
}

/** Refused, running and ended batches. A batch that runs and has ended before is listed once, as running. */
async function batchRows(RED: Runtime, language: unknown): Promise<BatchRow[]> {
  const running = await listBatches(RED)
  const runs = ({ id, node }: EndedBatch) => running.some((one) => one.id === id && one.node.id === node.id)
  const ended = listEndedBatches(RED).filter((one) => !runs(one))
  const refused = listRefusedBatches(RED).map(({ why, at, ...one }) => {
    return { ...one, done: 0, failed: 0, changed: 0, started: at, ended: at, refused: why }
  })
  return [...refused, ...running, ...ended].map(({ node, ...batch }) => ({
    paused: false,
    ...batch,
    ...('failures' in batch && {
      failures: batch.failures?.map((one) => inLanguage(one, language)),
      canSave: canSaveRows(RED, batch.failures),
    }),
    node: node.id,
    name: node.name,
  }))
}

const inLanguage = ({ problem, unsaved: _files, ...row }: FailedRow, language: unknown) => ({
  ...row,
  text: rowSentence({ ...row, ...(problem && { problem }) }, language),
})

const partIn = (rows: unknown, after: unknown) => ({
  rows: Math.min(Math.max(Number(rows) || 0, 0), mostRows),
  after: placeIn(after),
})

async function sendFile(file: Promise<Answer>, response: HttpResponse, translate: Translate): Promise<void> {
  try {
    const { data, headers } = await file
    const type = String(headers['content-type'] ?? 'application/octet-stream')
    // The file is always sent as a download, whatever its type, so that it never becomes a page of the editor.
    response.set({ 'Content-Type': type, 'Content-Disposition': 'attachment', 'X-Content-Type-Options': 'nosniff' })
    await pipeline(data as Readable, response)
  } catch (thrown) {
    if (response.headersSent) return void response.destroy()
    response.status(502).json({ ok: false, text: toEidError(thrown, translate, 1).message })
  }
}

/**
 * Decodes the search text. The tab sends this text in a header, not in the URL, because the text may be a person's
 * name, and URLs end up in logs.
 */
function decoded(header: unknown): string {
  try {
    return typeof header === 'string' ? decodeURIComponent(header) : ''
  } catch {
    return '' // Not encoded by our tab.
  }
}

/** Returns the same result for some seconds, because several tabs request it, and the other Node-REDs report rarely. */
function atIntervals<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: Promise<T> | undefined
  let readAt = 0
  return () => {
    if (latest && systemClock.now() - readAt < othersMs) return latest
    readAt = systemClock.now()
    return (latest = read())
  }
}

function get(RED: Runtime, path: string, permission: 'eid.read' | 'eid.write', handle: Handle): void {
  RED.httpAdmin.get(path, ...editorOnly(RED, permission), (request, response) => {
    // Keeps names and titles out of every cache.
    response.set({ 'Cache-Control': 'no-store' })
    answer(handle(request, response), response, () => wordsIn(RED, request.query.lang))
  })
}

/** Registers a route for users with the permission `eid.write`. */
function post(
  RED: Runtime,
  path: string,
  act: (body: Record<string, unknown>, by: string) => Promise<ActionAnswer | RemindedAnswer>,
): void {
  RED.httpAdmin.post(path, ...editorJson(RED), (request, response) => {
    response.set({ 'Cache-Control': 'no-store' })
    const body = objectIn(request)
    answer(
      act(body, userName(request)).then((said) => response.json(said)),
      response,
      () => wordsIn(RED, body.lang),
    )
  })
}

/** The name of the user who is logged in to the editor; empty without a login. */
function userName({ user }: HttpRequest): string {
  return isPlainObject(user) && typeof user.username === 'string' ? user.username : ''
}

/** Answers with the error if the handler rejects, because an unhandled rejection would crash Node-RED. */
function answer(handled: Promise<void>, response: HttpResponse, words: () => Translate): void {
  handled.catch((thrown: unknown) => {
    if (response.headersSent) return void response.destroy()
    response.status(500).json(inWords(failed(thrown, 0), words()))
  })
}
