/** Faults of the form of "approve" with which the node would refuse every message. */
import type { AlsoWrong } from '../../lib/editor/form'
import { splitList } from '../../lib/common/split-list'
import type { ReadStored } from '../../lib/settings/validation'
import { providersOf } from './providers'

const sentence = (key: string, params: Record<string, unknown> = {}) =>
  RED._(`@eid-flows/node-red-eid/approve:faults.${key}`, params)

const rowsIn = (read: ReadStored) => (read('approvers').rows ?? []) as readonly Record<string, unknown>[]

function wrongApprovers(read: ReadStored): string | undefined {
  const offered = splitList(read('identityProviders').value) ?? []
  for (const row of rowsIn(read)) {
    const [name, by, provider] = [row.name, row.by, row.provider].map((one) => String(one ?? '').trim())
    if (name === '') return sentence('name')
    if (providersOf(by ?? '', provider ?? '', offered).length === 0) return sentence('provider', { name })
  }
  return undefined
}

function wrongCount(read: ReadStored): string | undefined {
  const count = rowsIn(read).length
  return count > 0 && Number(read('required').value) > count ? sentence('required', { count }) : undefined
}

function wrongAddress(read: ReadStored): string | undefined {
  const isLive = RED.nodes.node(String(read('client').value))?.environment === 'live'
  return isLive && String(read('publicUrl').value ?? '') === '' ? sentence('publicUrl') : undefined
}

export const faults: Readonly<Record<string, AlsoWrong>> = {
  approvers: (_node, _value, read) => wrongApprovers(read),
  required: (_node, _value, read) => wrongCount(read),
  publicUrl: (_node, _value, read) => wrongAddress(read),
}
