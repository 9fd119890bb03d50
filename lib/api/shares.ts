/** Creates shares and uploads files to them, using the paths that the service has (`interface.md` 4.5, 4.6). */
import type { Answer, CallOptions } from './call/call'
import type { ApiClient } from './client'
import { isAbsent } from './errors/errors'
import type { OperationName } from './operations/operations'

type Sender = Pick<ApiClient, 'send'>

/**
 * The client's settings that select the paths. There is one such object per client. The results of earlier tries are
 * stored with this object as their key.
 */
interface SharePaths {
  /**
   * Which upload path is used: `buckets`, `upload` or `file`. `auto` first tries the path that belongs to the family of
   * the share (see `sharePaths`), then the other paths.
   */
  readonly sharePaths: string
  /**
   * The upload address: `buckets`, `upload` or `file`. `auto` first tries the address that belongs to the family of the
   * share, then the others.
   */
  readonly uploadPath: string
}

type Family = 'buckets' | 'share'
/**
 * The service has two families of paths for shares. For each client, `answered` is the family that worked last, and
 * `taken` is the upload path that accepted a file last.
 */
const answered = new WeakMap<object, Family>()
const taken = new WeakMap<object, OperationName>()
/** For each client, the upload paths that did not exist on earlier tries; they are tried last. */
const refused = new WeakMap<object, readonly OperationName[]>()

/**
 * Registers a share. `auto` tries the newer path first, and the older path only if the newer path does not exist.
 * Rejects with an EidError.
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

/**
 * Fetches a share. With `auto`, tries one family of paths, and then the other if the share is not found. Rejects with
 * an EidError.
 */
export function getShare(client: Sender, paths: SharePaths, id: string, options: CallOptions = {}): Promise<Answer> {
  return firstThatExists(families(paths, answered.get(paths)), async (family) => {
    const answer = await client.send(family === 'buckets' ? 'getBucket' : 'getShare', { ...options, id })
    answered.set(paths, family)
    return answer
  })
}

/**
 * Uploads one file. If the file can be read only once, only one path is tried: the upload path that worked before, or
 * else the upload path of the family in which the share was found.
 */
export async function uploadToShare(
  client: Sender,
  paths: SharePaths,
  ids: { readonly shareId: string; readonly contentId: string },
  options: CallOptions & { readonly oneShot?: boolean },
): Promise<Answer> {
  const params = { id: ids.shareId, contentId: ids.contentId }
  const { oneShot, ...call } = options
  if (oneShot && !taken.has(paths)) await findFamily(client, paths, ids.shareId, options.signal)
  const operations = uploadOperations(paths)
  const tried = oneShot ? operations.slice(0, 1) : operations
  return firstThatExists(tried, async (operation) => {
    const answer = await client.send(operation, { ...call, params }).catch((error: unknown) => {
      if (isAbsent(error)) refused.set(paths, [...(refused.get(paths) ?? []), operation].slice(-2))
      throw error
    })
    taken.set(paths, operation)
    return answer
  })
}

/**
 * Finds out which family of paths the service has by fetching an existing share. Never rejects, because not every
 * client has the scope to read a share.
 */
async function findFamily(client: Sender, paths: SharePaths, id: string, signal?: AbortSignal): Promise<void> {
  if (paths.uploadPath !== 'auto' || paths.sharePaths !== 'auto' || answered.has(paths)) return
  await getShare(client, paths, id, { signal }).catch(() => undefined)
}

/** Returns the path families to try. The family that worked last comes first. */
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
 * The upload paths to try: the chosen path, or all paths if `auto` is chosen. With `auto`, the path that accepted a
 * file before comes first. If there is no such path, the path of the client's path family comes first.
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
  if (known) return [known, ...byFamily.filter((one) => one !== known)]
  const absent = refused.get(paths) ?? []
  return [...byFamily.filter((one) => !absent.includes(one)), ...absent.filter((one) => byFamily.includes(one))]
}

/**
 * Returns the result of the first choice that does not fail with 404 or 405. These statuses mean that nothing was done.
 * If all choices fail in this way, rejects with the first choice's error.
 */
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
