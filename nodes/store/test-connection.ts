/** The "Test connection" route: reports in words whether the typed settings reach a usable database. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import { toEidError } from '../../lib/runtime/node-red/errors'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red/node-red'
import { createTranslate, type Translate } from '../../lib/runtime/node-red/texts'
import { completeTyped, isJson, readTyped, type TypedRequest } from '../../lib/runtime/values/typed-settings'
import { hostOf, openDatabase } from './settings'
import { fields } from './store.fields'

interface TestAnswer {
  readonly ok: boolean
  readonly text: string
  readonly code?: string
}

/** Registers `POST eid/store/test`, for people who may deploy. */
export function registerTestRoute(RED: Runtime): void {
  RED.httpAdmin.post('/eid/store/test', ...editorOnly(RED, 'eid.write'), (request, response) => {
    if (!isJson(request)) return void response.status(415).end()
    void answer(RED, request, response)
  })
}

async function answer(RED: Runtime, request: HttpRequest, response: HttpResponse): Promise<void> {
  const translate = createTranslate(RED, 'store', fields)
  try {
    response.json(await test(RED, translate, readTyped(request.body)))
  } catch (thrown) {
    const error = toEidError(thrown, translate)
    response.json({ ok: false, text: error.message, code: error.code } satisfies TestAnswer)
  }
}

/** Tests the database. This also creates the table, because the permission to create it is part of the test. */
async function test(RED: Runtime, translate: Translate, request: TypedRequest): Promise<TestAnswer> {
  const typed = completeTyped(RED, request, { type: 'eid-store', fields, places: ['address', 'tls'] })
  if (typed === 'elsewhere') return { ok: false, text: translate('test.secretElsewhere'), code: 'EID_CONFIG' }
  const database = openDatabase(RED, typed.settings, typed.credentials)
  try {
    await database.run('select 1', [])
    const start = performance.now()
    const [row] = await database.run(`select current_setting('server_version') as version`, [])
    const milliseconds = Math.max(1, Math.round(performance.now() - start))
    const version = String(row?.version).split(' ')[0] ?? ''
    return { ok: true, text: translate('test.ok', { host: hostOf(typed.settings), version, milliseconds }) }
  } finally {
    await database.close()
  }
}
