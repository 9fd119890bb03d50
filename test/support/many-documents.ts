/**
 * A service with very many documents, and a node that waits for them, both in this process. They serve to count calls
 * over simulated days.
 */
import type { Answer, CallOptions } from '../../lib/api/call/call'
import { EidError } from '../../lib/api/errors/errors'
import { createSqliteDatabase, type SqliteDatabase } from '../../lib/store/drivers/sqlite/database'
import { createSqlStore } from '../../lib/store/sql-store'
import { createCipher } from '../../lib/store/sql/cipher'
import { createListWatch, type ListWatch } from '../../nodes/wait/list/list-watch'
import { createListMember } from '../../nodes/wait/list/list-member'
import { defaultPauses } from '../../nodes/wait/pauses'
import { createPoller } from '../../nodes/wait/poller'
import { askResourceState } from '../../nodes/wait/resource-state'
import { createWaits } from '../../nodes/wait/waits'
import type { SimulatedTime } from './simulated-time'
import { RED } from './errors'

export interface ManyDocuments {
  readonly watch: ListWatch
  /** The number of calls so far, by operation. */
  readonly calls: Record<string, number>
  /** The ids of the documents whose waits have ended, in order. */
  readonly ended: string[]
  /** For each ended wait, the milliseconds between the document's signature and the end of the wait. */
  readonly delays: number[]
  /** The errors because of which the node could not use the list of documents. */
  readonly unusable: unknown[]
  /** If set, returns the answer to a call for the list of documents, in place of the true answer. */
  list: ((query: CallOptions['query'], documents: ReadonlyMap<string, Simulated>) => Answer) | undefined
  /** Creates documents, and a wait for each. */
  add(count: number): Promise<void>
  /** Signs the oldest unsigned document; returns its id. */
  sign(): string
  /** Updates a document without changing anything, as when a person looks at it. */
  touch(id: string): void
  /** Wakes the waits of a document, as an event does. */
  wake(id: string): Promise<void>
  open(): string[]
  /** Kills the process before the next statement that contains these words. */
  killAt(words: string): void
  /** Removes what is stored about the list, as the other nodes do when they stop to read it. */
  forgetList(): Promise<unknown>
  kill(): void
  /** Starts a further process on what this one has stored. */
  next(): Promise<ManyDocuments>
  close(): Promise<void>
}

/** What several processes have in common. */
interface World {
  readonly database: SqliteDatabase
  readonly documents: Map<string, Simulated>
  readonly open: string[]
}

interface Simulated {
  status: 'unsigned' | 'signed'
  lastUpdated: number
  signedAt?: number
}

const pageSize = 100
const plain = createCipher('')
const never = new Promise<never>(() => undefined)

const newWorld = ({ clock }: SimulatedTime): World => ({
  database: createSqliteDatabase({ folder: undefined, clock }),
  documents: new Map(),
  open: [],
})

/**
 * Starts the service and the node. With `list: false`, the node asks about each document instead of reading the list.
 */
export async function startManyDocuments(
  time: SimulatedTime,
  options: {
    readonly list?: boolean
    /** Whether several processes run at the same time. */
    readonly shared?: boolean
    readonly pauseMs?: number
    readonly maxPauseMs?: number
    readonly random?: () => number
    readonly world?: World
  } = {},
): Promise<ManyDocuments> {
  const { clock } = time
  const { list = true, shared = false, random = () => 0.5 } = options
  const { pauseMs, maxPauseMs } = { ...defaultPauses, ...options }
  const world = options.world ?? newWorld(time)
  const { documents, open } = world
  const failed = (error: unknown) => {
    throw error
  }
  const life = { isKilled: false, killedAt: '' }
  /** What a process does that has been killed: nothing more. */
  const alive = async <T>(task: () => Promise<T>): Promise<T> => {
    const result = life.isKilled ? never : await task()
    return life.isKilled ? never : result
  }
  const database: SqliteDatabase = Object.assign({}, world.database, {
    run: (...statement: Parameters<SqliteDatabase['run']>) => {
      life.isKilled ||= life.killedAt !== '' && statement[0].includes(life.killedAt)
      return alive(() => world.database.run(...statement))
    },
    ready: (...about: Parameters<SqliteDatabase['ready']>) => alive(() => world.database.ready(...about)),
  })
  const keeping = (kind: string) => createSqlStore(database, plain, 'node', { kind, onStoreEvent: failed })
  const store = keeping('waits')
  const subject = (id: string) => `c/document/${id}`
  const watch = createListWatch({ store: keeping('lists'), shared, clock, failed })
  const answer = (data: unknown): Answer => ({ status: 200, headers: { date: new Date().toUTCString() }, data })
  const record = (id: string) => {
    const { status } = documents.get(id) ?? { status: 'deleted' }
    const signer = { order: 0, signerInfo: { firstName: 'Ola' }, ...(status === 'signed' && { documentSignature: {} }) }
    return { documentId: id, title: `Contract ${id}`, status: { documentStatus: status }, signers: [signer] }
  }
  const listed = ({ lastUpdated, offset }: Record<string, unknown>) => {
    const from = Date.parse(String(lastUpdated))
    const all = [...documents].filter(([, one]) => one.lastUpdated >= from)
    const data = all.slice(Number(offset), Number(offset) + pageSize).map(([id, one]) => ({
      documentId: id,
      lastUpdated: new Date(one.lastUpdated).toISOString(),
      status: { documentStatus: one.status },
      currentSignatures: one.status === 'signed' ? 1 : 0,
    }))
    return { size: all.length, links: { next: Number(offset) + pageSize < all.length ? 'more' : '' }, data }
  }
  const send = (operation: string, { id = '', query = {} }: CallOptions): Promise<Answer> => {
    many.calls[operation] = (many.calls[operation] ?? 0) + 1
    if (operation === 'listDocuments' && many.list)
      return Promise.resolve().then(() => many.list?.(query, documents) as Answer)
    if (operation === 'listDocuments') return Promise.resolve(answer(listed(query)))
    const whole = record(id)
    return Promise.resolve(answer(operation === 'getDocument' ? whole : whole.status))
  }
  const ignored = () => undefined
  const waits = createWaits({
    store,
    shared,
    clock,
    failed,
    dropped: ignored,
    changed: ignored,
    unreadable: ignored,
    heldBack: ignored,
  })
  const member = createListMember(watch, store)
  const poller = createPoller({
    store,
    shared,
    waits,
    clock,
    list: member,
    random,
    failed,
    ask: ({ what, resourceId }, { details, fullRecord }) =>
      askResourceState(RED, send, { what, resourceId, fullRecord, seen: details?.status }, 'auto'),
    end(_id, { resourceId }) {
      many.ended.push(resourceId)
      many.delays.push(clock.epochNow() - (documents.get(resourceId)?.signedAt ?? NaN))
    },
  })
  const many: ManyDocuments = {
    watch,
    calls: {},
    ended: [],
    delays: [],
    unusable: [],
    list: undefined,
    async add(count) {
      for (let number = 0; number < count; number++) {
        const resourceId = `d${documents.size}`
        documents.set(resourceId, { status: 'unsigned', lastUpdated: clock.epochNow() })
        open.push(resourceId)
        const msg = { documentId: resourceId, payload: record(resourceId) }
        const wait = { what: 'document', resourceId, msg, deadline: Infinity, pauseMs, maxPauseMs } as const
        await waits.add(wait, subject(resourceId))
      }
    },
    sign() {
      const id = open.shift() ?? ''
      const now = clock.epochNow()
      documents.set(id, { status: 'signed', lastUpdated: now, signedAt: now })
      return id
    },
    touch: (id) => void Object.assign(documents.get(id) ?? {}, { lastUpdated: clock.epochNow() }),
    async wake(id) {
      watch.forget([id])
      await store.makeDue([subject(id)])
    },
    open: () => [...open],
    killAt: (words) => void (life.killedAt = words),
    forgetList: () => keeping('lists').remove('list'),
    kill() {
      life.isKilled = true
      world.database.release('node', 'waits')
    },
    next() {
      if (life.isKilled) world.database.release('node', 'waits')
      return startManyDocuments(time, Object.assign({}, options, { world }))
    },
    async close() {
      if (life.isKilled) return
      await leave?.()
      await poller.stop()
      await store.close()
    },
  }
  await waits.show()
  poller.start()
  const leave = list
    ? watch.join({
        intervalMs: maxPauseMs / 5,
        count: () => waits.count(),
        ask: (query) => send('listDocuments', { query }),
        wake: (ids) => store.makeDue(ids.map(subject)),
        pollIndividually: () => member.pollIndividually(),
        unusable: (error) => void many.unusable.push(error),
      })
    : undefined
  return many
}

/** An error as it results from a call that the service refuses. */
export function refusal(code: EidError['code'], status: number): EidError {
  return new EidError(code, { key: `errors.${code}`, params: {} }, { status, attempts: 1, outcome: 'not-done' })
}
