/**
 * Combines calls into one statement: calls made in the same turn of the event loop, and calls that arrive while the
 * previous statement is running. Under load, one statement serves many calls; a single call does not wait for others.
 */
import { EidError } from '../../api/errors/errors'

/** The values with which one call changes a row. The first value is the key of the row. */
export type RowValues = readonly [key: string, ...values: unknown[]]

interface Call {
  readonly values: RowValues
  resolve(isFound: boolean): void
  reject(error: unknown): void
}

/** Maximum number of rows in one statement. */
const mostRows = 100

/**
 * Returns a function to call once for each row; it resolves to true if the row was found. Calls that wait at the same
 * time become one statement: `execute` gets one array of values for each column, and returns the keys of the rows that
 * were found. `collect` resolves when the calls have been made that go together.
 */
export function createTogether(
  execute: (columns: unknown[][]) => Promise<readonly string[]>,
  collect: () => Promise<void>,
): (values: RowValues) => Promise<boolean> {
  let waiting: Call[] = []
  let isRunning = false
  const send = async (calls: readonly Call[]): Promise<void> => {
    try {
      const found = new Set(await execute(columnsOf(calls)))
      for (const { values, resolve } of calls) resolve(found.has(values[0]))
    } catch (error) {
      // If the database rejects the combined statement, each call is sent separately, so that one bad call does not
      // make the others fail.
      if (calls.length > 1 && !isFaultOfAll(error)) for (const one of calls) await send([one])
      else for (const { reject } of calls) reject(error)
    }
  }
  const runAll = async () => {
    isRunning = true
    await collect()
    while (waiting.length > 0) {
      const calls = firstOf(waiting)
      waiting = waiting.filter((one) => !calls.has(one))
      await send([...calls])
    }
    isRunning = false
  }
  return (values) =>
    new Promise((resolve, reject) => {
      waiting.push({ values, resolve, reject })
      if (!isRunning) void runAll()
    })
}

/** Calls that may be combined. A second change of the same row goes into a later statement. */
function firstOf(waiting: readonly Call[]): Set<Call> {
  const byKey = new Map<string, Call>()
  for (const call of waiting) {
    if (byKey.size >= mostRows) break
    if (!byKey.has(call.values[0])) byKey.set(call.values[0], call)
  }
  return new Set(byKey.values())
}

function columnsOf(calls: readonly Call[]): unknown[][] {
  const width = calls[0]?.values.length ?? 0
  return Array.from({ length: width }, (_none, at) => calls.map(({ values }) => values[at]))
}

/** True if each of the calls would fail in the same way: the database can't be reached, or can't write. */
function isFaultOfAll(error: unknown): boolean {
  return (
    error instanceof EidError &&
    /^config\.store(Away|Unwritten|ReadOnly|Unread|Broken|Owned|Closed)$/.test(error.text.key)
  )
}
