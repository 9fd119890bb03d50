/**
 * What lives as long as one Node-RED. Each part keeps its state here and not on a module, so that a test makes its own.
 */
import type { Runtime } from './node-red'

/** Any part of a Node-RED's API: each set of nodes gets another object, and all of them have the same `events`. */
export type HostOwner = Partial<Pick<Runtime, 'events'>>

type Make<T, R extends HostOwner = HostOwner> = (RED: R) => T

const hosts = new WeakMap<object, Map<unknown, unknown>>()

/** The part of this Node-RED that `make` creates, which it does when the part is first asked for. */
export function hosted<T, R extends HostOwner>(RED: R, make: Make<T, R>): T {
  const owner = RED.events ?? RED
  const parts = hosts.get(owner) ?? new Map<unknown, unknown>()
  hosts.set(owner, parts)
  if (!parts.has(make)) parts.set(make, make(RED))
  return parts.get(make) as T
}
