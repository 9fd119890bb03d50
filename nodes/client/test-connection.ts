/** The "Test connection" button of the client: tests whether the service gives a token. */
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import type { Translate } from '../../lib/runtime/node-red/texts'
import type { TypedRequest } from '../../lib/runtime/values/typed-settings'
import type { Completed } from '../../lib/runtime/service/test-route'
import { fields } from './client.fields'
import { buildClient, findBaseUrl } from './settings'

/** The settings that decide where secrets are sent, including the proxy through which they are sent. */
export const places = ['baseUrl', 'tokenUrl', 'proxy', 'tls', 'environment']

/** Resolves with a sentence about the token. */
export async function test(
  RED: Runtime,
  { settings, credentials }: Completed,
  translate: Translate,
  asked: TypedRequest,
): Promise<string> {
  const limit = AbortSignal.timeout(20_000)
  const client = await buildClient(RED, { ...settings, retries: 0 }, credentials)
  try {
    const { lifetime } = await client.testToken(limit)
    const host = new URL(await findBaseUrl(settings)).host
    const minutes = Math.round(lifetime / 60)
    // As typed, because the value of an environment variable must not be shown.
    const scopes = String(asked.settings.scopes ?? fields.scopes.initial)
      .trim()
      .split(/\s+/)
      .join(', ')
    return translate(scopes === '' ? 'test.okPlain' : 'test.ok', { host, minutes, scopes })
  } finally {
    await client.close()
  }
}
