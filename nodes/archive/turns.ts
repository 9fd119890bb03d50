/**
 * Lets only one Node-RED at a time collect a document's files, if several Node-REDs archive the document in the same
 * folder.
 */
import { join } from 'node:path'
import { sleep } from '../../lib/api/call/retry'
import type { Archive } from './place'
import { newestIn, openStaging, otherStagings, stagingName, type Staging } from './staging'

/** Milliseconds without a change after which a folder counts as left behind by a crash. */
const leftMs = 30_000
/** Milliseconds between two checks. */
const lookMs = 100

/**
 * Opens the folder for a document's files when no other Node-RED is collecting them. If two Node-REDs start at once,
 * the Node-RED whose index comes first alphabetically continues. When this resolves, another Node-RED may have archived
 * the document meanwhile.
 */
export async function openInTurn(place: Archive, documentId: string, signal: AbortSignal): Promise<Staging> {
  const own = stagingName(place, documentId)
  const isActive = createActivity(place.folder)
  let staging: Staging | undefined
  try {
    for (;;) {
      const others = (await otherStagings(place, documentId)).map(async (name) => ((await isActive(name)) ? name : []))
      const active = (await Promise.all(others)).flat()
      if (active.length === 0) {
        if (staging) return staging
        staging = await openStaging(place, documentId, signal)
        // Another Node-RED may have opened its folder at the same moment, so the folders are checked once more.
        continue
      }
      if (staging && active.some((name) => name < own)) {
        await staging.end()
        staging = undefined
      }
      await sleep(lookMs, signal)
    }
  } catch (error) {
    await staging?.end()
    throw error
  }
}

/**
 * Returns a function that checks whether a folder has changed recently. Changes are observed by this process, because
 * the clocks of two machines may differ.
 */
function createActivity(folder: string): (name: string) => Promise<boolean> {
  const seen = new Map<string, { newest: number; since: number }>()
  return async (name) => {
    const newest = await newestIn(join(folder, name))
    const last = seen.get(name)
    if (last?.newest !== newest) seen.set(name, { newest, since: performance.now() })
    return performance.now() - (seen.get(name)?.since ?? 0) < leftMs
  }
}
