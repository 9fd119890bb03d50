/** The "look" route: reports to an open form whether there is a file at the typed path. */
import { editorJson, objectIn } from '../../lib/runtime/http/editor-only'
import { access, constants } from 'node:fs/promises'
import { absolutePath, findFile } from '../../lib/runtime/files/files'
import type { Runtime } from '../../lib/runtime/node-red/node-red'

interface Seen {
  /** Why a node could not read the file (`fileMissing`, `fileFolder`, `noFolder`); absent if it could. */
  readonly problem?: string
  /** The full path that was checked, if there is no file. */
  readonly place?: string
}

/**
 * Registers `POST eid/files/look` with `{path, baseFolder}`. Only people who may deploy can use this route, because
 * they can already reach every file that Node-RED can reach. The path is in the body, because request paths end up in
 * logs.
 */
export function registerLookRoute(RED: Runtime): void {
  RED.httpAdmin.post('/eid/files/look', ...editorJson(RED), (request, response) => {
    const { path, baseFolder } = objectIn(request)
    const folder = typeof baseFolder === 'string' ? baseFolder : ''
    const seen = typeof path === 'string' && path !== '' ? look(RED, path, folder) : Promise.resolve({})
    void seen.then((answer) => response.json(answer))
  })
}

/** Checks whether a node could read the file. Never rejects. */
async function look({ settings }: Runtime, path: string, baseFolder: string): Promise<Seen> {
  const workingDirectory = settings.fileWorkingDirectory
  const found = await findFile(path, { workingDirectory, baseFolder }).catch(() => ({ key: 'noFolder' }))
  if ('key' in found && found.key !== 'fileMissing') return { problem: found.key }
  const isReadable = 'absolute' in found && (await access(found.absolute, constants.R_OK).then(yes, no))
  if (isReadable) return {}
  const folder = baseFolder === '' ? workingDirectory : absolutePath(baseFolder, workingDirectory)
  return { problem: 'fileMissing', place: absolutePath(path, folder) }
}

const yes = () => true
const no = () => false
