/**
 * The store of one Node-RED when its process is killed.
 *
 * @rest
 */
import { localWays, removesFolders } from './local-ways'
import { survivesKills } from './store-kill.contract'

removesFolders()

for (const [title, way] of Object.entries(localWays)) describe(title, () => survivesKills(way))
