/** Creates shares and uploads into them by whichever paths the service has (`interface.md` 4.5, 4.6). */
import type { Answer, CallOptions } from './call/call'
import type { ApiClient } from './client'
import { isAbsent } from './errors/errors'
import type { OperationName } from './operations/operations'

type Sender = Pick<ApiClient, 'send'>

/**
 * The client's settings that decide on paths; one object per client, under which the family that answered
 * is remembered.
 */
export interface SharePaths {
  /** `auto`, `buckets` or `share`. */
  readonly sharePaths: string
  /**
   * Which of the three upload addresses: `auto` (that of the family, then the others), `buckets`, `upload` or `file`.
   */
  readonly uploadPath: string
}

type Family = 'buckets' | 'share'
/** Which family registered a share, and which path took an upload, per client. */
const answered = new WeakMap<object, Family>()
const taken = new WeakMap<object, OperationName>()

/**
 * Registers a share. `auto` tries the newer path first and the older one when the newer does not exist. Rejects with
 * an EidError.
 */
export async function createShare(
  client: Sender,
  paths: SharePaths,
  body: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  const send = (family: Family) =>
    client.send(family === 'buckets' ? 'createBucket' : 'createShare', { ...options, body })
  return firstThatExists(families(paths, answered.get(paths)), async (family) => {
    const answer = await send(family)
    answered.set(paths, family)
    return answer
  })
}

/** Asks for a share, in whichever family knows it. Rejects with an EidError. */
export function getShare(client: Sender, paths: SharePaths, id: string, options: CallOptions = {}): Promise<Answer> {
  const send = (family: Family) => client.send(family === 'buckets' ? 'getBucket' : 'getShare', { ...options, id })
  return firstThatExists(families(paths, answered.get(paths)), send)
}

/** Uploads one file. With a source that can't be made again, only the likeliest path is tried. */
export function uploadToShare(
  client: Sender,
  paths: SharePaths,
  ids: { readonly shareId: string; readonly contentId: string },
  options: CallOptions & { readonly oneShot?: boolean },
): Promise<Answer> {
  const params = { id: ids.shareId, contentId: ids.contentId }
  const operations = uploadOperations(paths)
  const { oneShot, ...call } = options
  const tried = oneShot ? operations.slice(0, 1) : operations
  return firstThatExists(tried, async (operation) => {
    const answer = await client.send(operation, { ...call, params })
    taken.set(paths, operation)
    return answer
  })
}

/** The families to try, the one that answered before first. */
function families({ sharePaths }: SharePaths, known: Family | undefined): readonly Family[] {
  if (sharePaths === 'buckets' || sharePaths === 'share') return [sharePaths]
  return known === 'share' ? ['share', 'buckets'] : ['buckets', 'share']
}

const uploads: Readonly<Record<string, OperationName>> = {
  buckets: 'uploadToBucket',
  upload: 'uploadToShare',
  file: 'uploadFileToShare',
}

/**
 * The upload paths to try: the chosen one; with `auto` all of them, the one that took a file first, otherwise that of
 * the family first.
 */
function uploadOperations(paths: SharePaths): readonly OperationName[] {
  const chosen = Object.hasOwn(uploads, paths.uploadPath) ? uploads[paths.uploadPath] : undefined
  if (chosen) return [chosen]
  const [family] = families(paths, answered.get(paths))
  const byFamily: readonly OperationName[] =
    family === 'share'
      ? ['uploadToShare', 'uploadFileToShare', 'uploadToBucket']
      : ['uploadToBucket', 'uploadToShare', 'uploadFileToShare']
  const known = taken.get(paths)
  return known ? [known, ...byFamily.filter((one) => one !== known)] : byFamily
}

/** The first attempt that does not end in 404 or 405, where nothing was done; when all do, the first one's error. */
async function firstThatExists<T>(choices: readonly T[], send: (choice: T) => Promise<Answer>): Promise<Answer> {
  let first: unknown
  for (const choice of choices) {
    try {
      return await send(choice)
    } catch (error) {
      first ??= error
      if (!isAbsent(error)) throw error
    }
  }
  throw first
}
