/** The kind of store of one Node-RED. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'
import { itemName } from '../../../lib/store/item-name'
import type { Way } from './store-bench'
import type { StoreLocation } from './store-places'

const folders: string[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'eid-store-'))
  folders.push(folder)
  return folder
}

/** Removes the folders of the test that has ended; call it at the top of a test file. */
export function removesFolders(): void {
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
}

const folderOf = (place: StoreLocation) => ('folder' in place ? place.folder : '')

export const localWays: Readonly<Record<string, Way>> = {
  'a store in an embedded database': {
    shared: false,
    endLeases: () => Promise.resolve(),
    newPlace: () => Promise.resolve({ way: 'sqlite', folder: newFolder() }),
    corrupt(place, id) {
      const database = new Database(join(folderOf(place), 'eid', 'eid.sqlite'))
      database.exec('pragma locking_mode = exclusive')
      database.run(`update eid_kept set body = '{"torn' where key = $1`, { $1: itemName(id) })
      database.close()
      return Promise.resolve()
    },
  },
}
