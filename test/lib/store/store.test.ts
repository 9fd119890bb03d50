/** The stores of one Node-RED, in files and in a context store, keep the guarantees of every store. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameOf } from '../../../lib/store/item-name'
import { keepsPromises } from './store.contract'
import { sharesOutWork } from './store-work.contract'
import type { Way } from './store-bench'
import type { StoreLocation } from './store-places'

const folders: string[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'eid-store-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const folderOf = (place: StoreLocation) => ('folder' in place ? place.folder : '')

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.map((file) => join(file.parentPath, file.name))
}

describe('a store in files', () => {
  const way: Way = {
    shared: false,
    newPlace: () => Promise.resolve({ way: 'files', folder: newFolder() }),
    corrupt(place, id) {
      for (const file of filesIn(folderOf(place))) if (file.includes(nameOf(id))) writeFileSync(file, 'torn\n{"bod')
      return Promise.resolve()
    },
  }
  keepsPromises(way)
  sharesOutWork(way)
})

describe('a store where the default context store writes later, as Node-RED offers it', () => {
  const way: Way = {
    shared: false,
    newPlace: () => Promise.resolve({ way: 'offered', folder: newFolder() }),
    corrupt(place, id) {
      for (const file of filesIn(folderOf(place))) if (file.includes(nameOf(id))) writeFileSync(file, 'torn\n{"bod')
      return Promise.resolve()
    },
  }
  keepsPromises(way)
  sharesOutWork(way)
})

describe('a store in a context store of Node-RED', () => {
  const way: Way = {
    shared: false,
    newPlace: () => Promise.resolve({ way: 'context', folder: newFolder() }),
    corrupt(place, id) {
      for (const file of filesIn(folderOf(place))) {
        const all = JSON.parse(readFileSync(file, 'utf8')) as { eid_items: Record<string, unknown> }
        all.eid_items[nameOf(id)] = { not: 'a text' }
        writeFileSync(file, JSON.stringify(all))
      }
      return Promise.resolve()
    },
  }
  keepsPromises(way)
  sharesOutWork(way)
})
