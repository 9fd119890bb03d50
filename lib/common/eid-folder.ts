/** The folder of everything that this package keeps on disk. */
import { join, resolve } from 'node:path'

/** `userFolder` is Node-RED's user folder. The variable `EID_FOLDER` names another place. */
export function eidFolder(userFolder: string): string {
  const { EID_FOLDER: other } = process.env
  return other ? resolve(other) : join(userFolder, 'eid')
}
