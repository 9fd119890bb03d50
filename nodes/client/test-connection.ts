/** The "Test connection" route: reports in words whether the typed settings reach the service and get a token. */
import { editorOnly } from '../../lib/runtime/http/editor-only'
import { toEidError } from '../../lib/runtime/node-red/errors'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red/node-red'
import { createTranslate, type Translate } from '../../lib/runtime/node-red/texts'
import { completeTyped, isJson, readTyped, type TypedRequest } from '../../lib/runtime/values/typed-settings'
import { fields } from './client.fields'
import { buildClient, findBaseUrl } from './settings'

interface TestAnswer {
  readonly ok: boolean
  readonly text: string
  readonly code?: string
}

/** Registers `POST eid/client/test`, for people who may deploy. */
export function registerTestRoute(RED: Runtime): void {
  RED.httpAdmin.post('/eid/client/test', ...editorOnly(RED, 'eid.write'), (request, response) => {
    if (!isJson(request)) return void response.status(415).end()
    void answer(RED, request, response)
  })
}

async function answer(RED: Runtime, request: HttpRequest, response: HttpResponse): Promise<void> {
  const translate = createTranslate(RED, 'client', fields)
  try {
    response.json(await test(RED, translate, readTyped(request.body)))
  } catch (thrown) {
    const error = toEidError(thrown, translate)
    response.json({ ok: false, text: error.message, code: error.code } satisfies TestAnswer)
  }
}

/**
 * The settings that decide where secrets are sent: stored secrets are sent only to the stored addresses, through the
 * stored proxy.
 */
export const places = ['baseUrl', 'tokenUrl', 'proxy', 'tls', 'environment']

async function test(RED: Runtime, translate: Translate, request: TypedRequest): Promise<TestAnswer> {
  const typed = completeTyped(RED, request, { type: 'eid-client', fields, places })
  if (typed === 'elsewhere') return { ok: false, text: translate('test.secretElsewhere'), code: 'EID_CONFIG' }
  const { settings, credentials } = typed
  const limit = AbortSignal.timeout(20_000)
  const client = await buildClient(RED, { ...settings, retries: 0 }, credentials)
  try {
    const { lifetime } = await client.testToken(limit)
    const host = new URL(await findBaseUrl(settings)).host
    const minutes = Math.round(lifetime / 60)
    const scopes = String(request.settings.scopes ?? fields.scopes.initial)
      .trim()
      .split(/\s+/)
      .join(', ')
    return { ok: true, text: translate(scopes === '' ? 'test.okPlain' : 'test.ok', { host, minutes, scopes }) }
  } finally {
    await client.close()
  }
}
