/** Runs the statements of a turn in one transaction, on a connection that is opened when it is needed. */
import { configError, type EidError } from '../../../api/errors/errors'
import type { Clock } from '../../clock'
import type { Connection } from './connection'
import type { Request, Result, Row } from './engine'

interface TransactionsOptions {
  readonly clock: Clock
  connect(): Promise<Connection>
  /** Called after each transaction: with an error if nothing can be written or read at present. */
  judged(error: EidError | undefined): void
}

interface Transactions {
  run(request: Request): Promise<Row[]>
  /** Resolves when all statements have been run and the connection is closed. */
  close(): Promise<void>
}

interface Waiting {
  readonly request: Request
  resolve(rows: Row[]): void
  reject(error: unknown): void
}

/** The most statements in one transaction, so that none of them waits long for its answer. */
const mostAtOnce = 200
/**
 * Milliseconds before a file that can't be opened is tried again. A part of them is random, because two processes that
 * find each other at the same moment both give way.
 */
const retryMs = 1_500
const retrySpreadMs = 1_000

export function createTransactions({ clock, connect, judged }: TransactionsOptions): Transactions {
  let waiting: Waiting[] = []
  let running: Promise<void> | undefined
  let connection: Promise<Connection> | undefined
  let refused: { readonly error: EidError; readonly until: number } | undefined

  const open = async () => {
    // Until the next try, calls are rejected as before and don't wait.
    if (refused && clock.now() < refused.until) throw refused.error
    try {
      const made = await connect()
      refused = undefined
      return made
    } catch (error) {
      const until = clock.now() + retryMs + Math.random() * retrySpreadMs
      refused = { error: openError(error), until }
      throw refused.error
    }
  }
  const transact = async (part: readonly Waiting[]) => {
    try {
      const { transact: send } = await (connection ??= open())
      const results = await send(part.map(({ request }) => request))
      judge(part, results, judged)
      for (const [at, one] of part.entries()) settle(one, results[at])
    } catch (error) {
      // The next statement opens the file again.
      connection = undefined
      const known = openError(error)
      judged(known)
      for (const one of part) one.reject(known)
    }
  }
  const runAll = async () => {
    // Waits for the end of this turn, so that all statements of the turn are in one transaction.
    await Promise.resolve()
    while (waiting.length > 0) {
      const part = waiting.slice(0, mostAtOnce)
      waiting = waiting.slice(mostAtOnce)
      await transact(part)
    }
    running = undefined
  }
  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ request, resolve, reject })
        running ??= runAll()
      }),
    async close() {
      await running
      const last = connection
      connection = undefined
      await last?.then((one) => one.close()).catch(() => undefined)
    },
  }
}

function settle(one: Waiting, result: Result | undefined): void {
  if (result && 'rows' in result) one.resolve(result.rows)
  else one.reject(statementError(one.request, result))
}

/** One statement that can't be run shows that the others can't either; a written one shows that all is well. */
function judge(part: readonly Waiting[], results: readonly Result[], judged: TransactionsOptions['judged']): void {
  const failed = part.findIndex((_one, at) => !('rows' in (results[at] ?? {})))
  const first = part[failed]
  if (first) judged(statementError(first.request, results[failed]))
  else if (part.some(({ request }) => !isReading(request))) judged(undefined)
}

const isReading = ({ text }: Request) => text.startsWith('select')

function statementError(request: Request, result: Result | undefined): EidError {
  const reason = (result && 'reason' in result && result.reason) || '@reasons.unknown'
  return faultOf(reason, isReading(request) ? 'storeUnread' : 'storeUnwritten')
}

function openError(error: unknown): EidError {
  if (error instanceof Error && 'text' in error) return error as EidError
  if (error instanceof Error && 'owner' in error) return configError('storeOwned', { process: String(error.owner) })
  return faultOf(error instanceof Error ? error.message : '', 'storeUnread')
}

/** The sentence for a reason: a code of the system, or a few words of SQLite. */
function faultOf(reason: string, otherwise: 'storeUnread' | 'storeUnwritten'): EidError {
  if (reason === 'newer') return configError('storeNewer')
  if (reason.includes('malformed')) return configError('storeBroken')
  if (/^(EROFS|EACCES|EPERM)$/.test(reason)) return configError('storeReadOnly', { reason })
  return configError(/^(ENOSPC|EDQUOT)$/.test(reason) ? 'storeUnwritten' : otherwise, { reason })
}
