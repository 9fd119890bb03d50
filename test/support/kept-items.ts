/** Reads what nodes keep in an embedded database that another process may have open. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'

interface KeptItem {
  readonly node: string
  readonly kind: string
  readonly about: string
  readonly body: string
  readonly due: number | null
}

/** All items of nodes below the user folder, without the cards of the nodes. */
export function keptIn(userDir: string): KeptItem[] {
  const file = join(userDir, 'eid', 'eid.sqlite')
  if (!existsSync(file)) return []
  const folder = mkdtempSync(join(tmpdir(), 'eid-kept-'))
  try {
    // The log is copied first: if it is moved into the file in between, the file has more than the log, not less.
    for (const name of ['eid.sqlite-wal', 'eid.sqlite'])
      if (existsSync(join(userDir, 'eid', name))) cpSync(join(userDir, 'eid', name), join(folder, name))
    const database = new Database(join(folder, 'eid.sqlite'))
    try {
      database.exec('pragma locking_mode = exclusive')
      const text = `select node, kind, about, body, due from eid_kept where kind <> 'schema' and node <> 'kept-nodes'`
      return database.all(text) as unknown as KeptItem[]
    } finally {
      database.close()
    }
  } catch {
    // The file was being created or changed.
    return []
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
