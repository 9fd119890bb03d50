/**
 * Makes the service call this node: creates the webhook, or updates the one with the same address (`docs/interface.md`
 * 4.9).
 */
import { createHmac } from 'node:crypto'
import type { Answer, CallOptions } from '../../lib/api/call/call'
import type { OperationName } from '../../lib/api/operations/operations'
import { getPath } from '../../lib/runtime/values/read-text'
import type { Lock } from './lock'

export interface RegistrationOptions {
  readonly name: string
  /** The address to which the service sends its events. */
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  /** Shared by all instances on a store; if absent, this Node-RED registers alone. */
  readonly lock: Lock | undefined
  ask(operation: OperationName, options?: CallOptions): Promise<Answer>
}

export interface Registration {
  /** Registers, unless another Node-RED has just registered the same. Rejects as the calls do. */
  begin(): Promise<void>
  /** Registers again, even if the service already knows the webhook. Rejects as the calls do. */
  register(): Promise<void>
  /** Requests a ping from the service; registers first if that has not succeeded yet. */
  ping(): Promise<void>
  close(): Promise<void>
}

export function createRegistration({ name, url, secret, events, lock, ask }: RegistrationOptions): Registration {
  let id: string | undefined
  let running: Promise<void> | undefined
  // If a message arrives while the start is still registering, it waits for that instead of registering a second time.
  const join = (task: () => Promise<void>) => (running ??= task().finally(() => (running = undefined)))
  // Two instances registering at once would create two webhooks for one address.
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

/** The service's ids may be numbers. */
function idOf(webhook: unknown): string | undefined {
  const id = getPath(webhook, 'id')
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}
