/** The files of an embedded database: the file itself, the copy made at each start, and what was put aside. */
import * as fs from 'node:fs'
import { join } from 'node:path'

export const fileIn = (folder: string) => join(folder, 'eid.sqlite')
/** A copy that is complete, and that may be copied while Node-RED runs. */
export const copyIn = (folder: string) => join(folder, 'eid-copy.sqlite')

/** A damaged file, and the copy that was made while it was whole. */
export interface Aside {
  readonly file: string
  /** Absent if there is no copy. */
  readonly copy?: string
}

/** Renames a damaged file, and the last copy, so that neither is overwritten. Returns their new names. */
export function putAside(folder: string): Aside {
  const mark = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const file = `eid-damaged-${mark}.sqlite`
  fs.renameSync(fileIn(folder), join(folder, file))
  fs.rmSync(`${fileIn(folder)}-wal`, { force: true })
  fs.rmSync(`${fileIn(folder)}.lock`, { recursive: true, force: true })
  if (!fs.existsSync(copyIn(folder))) return { file }
  const copy = `eid-copy-${mark}.sqlite`
  fs.renameSync(copyIn(folder), join(folder, copy))
  return { file, copy }
}
