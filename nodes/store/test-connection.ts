/** The "Test connection" button of the store: tests whether the database can be used. */
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import type { Translate } from '../../lib/runtime/node-red/texts'
import type { Completed } from '../../lib/runtime/service/test-route'
import { hostOf, openDatabase } from './settings'

/**
 * Resolves with a sentence about the database. This also creates the table, because the permission to create it is part
 * of the test.
 */
export async function test(RED: Runtime, { settings, credentials }: Completed, translate: Translate): Promise<string> {
  const database = openDatabase(RED, settings, credentials)
  try {
    await database.run('select 1', [])
    const start = performance.now()
    const [row] = await database.run(`select current_setting('server_version') as version`, [])
    const milliseconds = Math.max(1, Math.round(performance.now() - start))
    const version = String(row?.version).split(' ')[0] ?? ''
    return translate('test.ok', { host: hostOf(settings), version, milliseconds })
  } finally {
    await database.close()
  }
}
