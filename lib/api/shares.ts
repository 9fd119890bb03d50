/** Creates shares and uploads into them by whichever paths the service has (`interface.md` 4.5, 4.6). */
import type { Answer, ApiClient, CallOptions } from './client'
import { EidError } from './errors'
import type { OperationName } from './operations'

type Sender = Pick<ApiClient, 'send'>

/** The client's settings that decide on paths; one object per client, under which the family that answered is remembered. */
export interface SharePaths {
  /** `auto`, `buckets` or `share`. */
  readonly sharePaths: string
  /** `upload` or `file`, for the family `share`. */
  readonly uploadPath: string
}

type Family = 'buckets' | 'share'
const answered = new WeakMap<object, Family>()

/** Registers a share. `auto` tries the newer path first and the older one when the newer does not exist. Rejects with an EidError. */
export async function createShare(
  client: Sender,
  paths: SharePaths,
  body: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  const send = (family: Family) =>
    client.send(family === 'buckets' ? 'createBucket' : 'createShare', { ...options, body })
  return firstThatExists(families(paths), async (family) => {
    const answer = await send(family)
    answered.set(paths, family)
    return answer
  })
}

/** Reads a share's record, by the same choice of paths. */
export function getShare(client: Sender, paths: SharePaths, id: string, options: CallOptions = {}): Promise<Answer> {
  return firstThatExists(families(paths), (family) =>
    client.send(family === 'buckets' ? 'getBucket' : 'getShare', { ...options, id }),
  )
}

/** Uploads one file. With a source that can't be made again, only the likeliest path is tried. */
export function uploadToShare(
  client: Sender,
  paths: SharePaths,
  ids: { readonly shareId: string; readonly contentId: string },
  options: CallOptions & { readonly once?: boolean },
): Promise<Answer> {
  const params = { id: ids.shareId, contentId: ids.contentId }
  const operations = uploadOperations(paths)
  const tried = options.once ? operations.slice(0, 1) : operations
  return firstThatExists(tried, (operation) => client.send(operation, { ...options, params }))
}

/** The families to try, the one that answered before alone. */
function families(paths: SharePaths): readonly Family[] {
  if (paths.sharePaths === 'buckets' || paths.sharePaths === 'share') return [paths.sharePaths]
  const known = answered.get(paths)
  return known ? [known] : ['buckets', 'share']
}

/** The upload paths to try: that of the family first; `auto` goes on to the others when it does not exist. */
function uploadOperations(paths: SharePaths): readonly OperationName[] {
  const older: OperationName = paths.uploadPath === 'file' ? 'uploadFileToShare' : 'uploadToShare'
  if (paths.sharePaths === 'share') return [older]
  if (paths.sharePaths === 'buckets') return ['uploadToBucket']
  const other: OperationName = older === 'uploadToShare' ? 'uploadFileToShare' : 'uploadToShare'
  return answered.get(paths) === 'share' ? [older, other] : ['uploadToBucket', older, other]
}

/** The first attempt that does not end in 404 or 405, where nothing was done; when all do, the first one's error. */
async function firstThatExists<T>(choices: readonly T[], attempt: (choice: T) => Promise<Answer>): Promise<Answer> {
  let first: unknown
  for (const choice of choices) {
    try {
      return await attempt(choice)
    } catch (error) {
      first ??= error
      if (!isAbsent(error)) throw error
    }
  }
  throw first
}

function isAbsent(error: unknown): boolean {
  return error instanceof EidError && (error.cause.status === 404 || error.cause.status === 405)
}
