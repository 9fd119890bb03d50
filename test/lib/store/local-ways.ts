/** The kinds of stores of one Node-RED: in files and in a context store. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'
import { nameOf } from '../../../lib/store/item-name'
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

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.map((file) => join(file.parentPath, file.name))
}

export const localWays: Readonly<Record<string, Way>> = {
  'a store in an embedded database': {
    shared: false,
    endLeases: () => Promise.resolve(),
    newPlace: () => Promise.resolve({ way: 'sqlite', folder: newFolder() }),
    corrupt(place, id) {
      const database = new Database(join(folderOf(place), 'eid', 'eid.sqlite'))
      database.exec('pragma locking_mode = exclusive')
      database.run(`update eid_kept set body = '{"torn' where key = $1`, { $1: nameOf(id) })
      database.close()
      return Promise.resolve()
    },
  },
  'a store in files': {
    shared: false,
    endLeases: () => Promise.resolve(),
    newPlace: () => Promise.resolve({ way: 'files', folder: newFolder() }),
    corrupt(place, id) {
      for (const file of filesIn(folderOf(place))) if (file.includes(nameOf(id))) writeFileSync(file, 'torn\n{"bod')
      return Promise.resolve()
    },
  },
  'a store where the default context store writes later, as Node-RED offers it': {
    shared: false,
    endLeases: () => Promise.resolve(),
    newPlace: () => Promise.resolve({ way: 'offered', folder: newFolder() }),
    corrupt(place, id) {
      for (const file of filesIn(folderOf(place))) if (file.includes(nameOf(id))) writeFileSync(file, 'torn\n{"bod')
      return Promise.resolve()
    },
  },
  'a store in a context store of Node-RED': {
    shared: false,
    endLeases: () => Promise.resolve(),
    newPlace: () => Promise.resolve({ way: 'context', folder: newFolder() }),
    corrupt(place, id) {
      for (const file of filesIn(folderOf(place))) {
        const all = JSON.parse(readFileSync(file, 'utf8')) as { eid_items: Record<string, unknown> }
        all.eid_items[nameOf(id)] = { not: 'a text' }
        writeFileSync(file, JSON.stringify(all))
      }
      return Promise.resolve()
    },
  },
}
