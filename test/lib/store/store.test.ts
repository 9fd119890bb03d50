/** The store of one Node-RED keeps the guarantees of every store. */
import { localWays, removesFolders } from './local-ways'
import { keepsPromises } from './store.contract'
import { sharesOutWork } from './store-work.contract'

removesFolders()

for (const [title, way] of Object.entries(localWays)) {
  describe(title, () => {
    keepsPromises(way)
    sharesOutWork(way)
  })
}
