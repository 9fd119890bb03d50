/**
 * Registers this node's address with the service: creates a webhook, or updates the webhook that has the same address
 * (`docs/interface.md` 4.9).
 */
import { createHmac } from 'node:crypto'
import type { Answer, CallOptions } from '../../lib/api/call/call'
import type { OperationName } from '../../lib/api/operations/operations'
import { getPath } from '../../lib/runtime/values/read-text'
import type { Lock } from './lock'

interface RegistrationOptions {
  readonly name: string
  /** The address to which the service sends its events. */
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  /** The lock that all instances on a store share; if absent, this Node-RED registers without a lock. */
  readonly lock: Lock | undefined
  ask(operation: OperationName, options?: CallOptions): Promise<Answer>
}

export interface Registration {
  /** Registers, unless another Node-RED has just registered the same webhook. Rejects as the calls do. */
  begin(): Promise<void>
  /** Registers, even if another Node-RED has just registered the same webhook. Rejects as the calls do. */
  register(): Promise<void>
  /** Requests a ping from the service; registers first if no registration has succeeded yet. */
  ping(): Promise<void>
  close(): Promise<void>
}

export function createRegistration({ name, url, secret, events, lock, ask }: RegistrationOptions): Registration {
  let id: string | undefined
  let running: Promise<void> | undefined
  // If a message arrives while the start is still registering, the message waits for that registration instead of
  // starting a second one.
  const join = (task: () => Promise<void>) => (running ??= task().finally(() => (running = undefined)))
  // If two instances registered at once, they would create two webhooks for the same address.
  const inTurn = (again: boolean) => () => (lock ? lock.run(printOf(), again, registerOnce) : registerOnce())
  const register = () => join(inTurn(true))
  /** Identifies a registration without revealing the secret. */
  const printOf = () =>
    createHmac('sha256', secret)
      .update(JSON.stringify([name, url, events]))
      .digest('hex')
  const registerOnce = async () => {
    const body = { name, active: true, events, config: { url, secret } }
    const known = findByUrl((await ask('listWebhooks')).data, url)
    const answer = known === undefined ? await ask('createWebhook', { body }) : await update(known, body)
    id = idOf(answer.data) ?? known
  }
  const update = (known: string, body: unknown) => ask('updateWebhook', { id: known, body })
  return {
    begin: () => join(inTurn(false)),
    register,
    async ping() {
      if (id === undefined) await register()
      await ask('pingWebhook', { id: id ?? '' })
    },
    close: async () => lock?.close(),
  }
}

function findByUrl(webhooks: unknown, url: string): string | undefined {
  return Array.isArray(webhooks) ? idOf(webhooks.find((one) => getPath(one, 'config.url') === url)) : undefined
}

/** Returns the id of a webhook; the service's ids may be numbers. */
function idOf(webhook: unknown): string | undefined {
  const id = getPath(webhook, 'id')
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}
