/** Retries a file operation for a while, because on Windows another program may briefly hold the file open. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Error codes for a file that a virus scanner or a search indexer holds open. */
const inUse = /^(EPERM|EBUSY|EACCES)$/

const firstPauseMs = 10
const longestPauseMs = 1_000
const usualMs = 2_000

/**
 * Retries a task that fails with an error code matching `passing`, for about `forMs` milliseconds. Rejects with the
 * last error.
 */
export async function patiently<T>(task: () => Promise<T>, forMs = usualMs, passing: RegExp = inUse): Promise<T> {
  let left = forMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await task()
    } catch (error) {
      if (left <= 0 || !passing.test(codeOf(error))) throw error
    }
    left -= pauseMs
    await sleep(pauseMs)
  }
}

/** The system's error code; an empty text if the error has no code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
