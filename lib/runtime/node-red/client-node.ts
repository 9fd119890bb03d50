/** The client's config node, as other nodes use it. */
import type { ApiClient } from '../../api/client'
import { configError } from '../../api/errors/errors'
import type { Runtime, RuntimeNode } from './node-red'

/** Settings of the client that determine how other nodes build their requests, and which service they use. */
export interface ClientSettings {
  readonly environment: string
  /** Identifies the service: `sandbox`, or its base address. */
  readonly service: string
  readonly sharePaths: string
  readonly uploadPath: string
  readonly shareNames: string
  readonly recipientFiles: string
  readonly signatureOrigins: readonly string[]
  readonly identificationOrigins: readonly string[]
  /** The time limit of a call in seconds; set only if the user chose a value for this client. */
  readonly timeout: number | undefined
}

export interface ClientNode extends RuntimeNode {
  readonly settings: ClientSettings
  /** Returns the client node's only HTTP client. Rejects with EID_CONFIG if the settings do not allow creating it. */
  connect(): Promise<ApiClient>
}

/** The service that received a request: no other service knows what the request has created. */
export interface Asked {
  /** Id of the client's config node. */
  readonly client: string
  readonly service: string
}

/** Finds the client node with this id; throws EID_CONFIG if it is missing or disabled. */
export function findClient(RED: Runtime, id: unknown): ClientNode {
  const node = typeof id === 'string' && id !== '' ? RED.nodes.getNode(id) : undefined
  if (!node || !('connect' in node)) throw configError('noClient')
  return node as ClientNode
}

/** The service that the client with this id uses; undefined if there is no such client. */
export function askedOf(RED: Runtime, id: unknown): Asked | undefined {
  const node = typeof id === 'string' && id !== '' ? (RED.nodes.getNode(id) as Partial<ClientNode> | null) : null
  return node?.settings && { client: String(id), service: node.settings.service }
}

/** How lists name every sandbox. Nothing in a sandbox is real, so the lists need not tell one from another. */
export const sandboxName = 'sandbox'

/**
 * The name by which a list remembers the service that the client with this id uses; undefined if there is no such
 * client.
 */
export function listServiceOf(RED: Runtime, id: unknown): string | undefined {
  return isSandbox(RED, id) ? sandboxName : askedOf(RED, id)?.service
}

/** True if the node with this id uses the simulated service. */
export function isSandbox(RED: Runtime, id: unknown): boolean {
  const node = typeof id === 'string' ? (RED.nodes.getNode(id) as Partial<ClientNode> | null) : null
  return node?.settings?.environment === 'sandbox'
}

/**
 * True for values that can be read as a number. Other values are not converted, because that may throw, or give an
 * unintended number.
 */
function isNumeric(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string'
}

/**
 * Milliseconds that one call may take: from the client's own setting, otherwise from the message, otherwise from
 * Node-RED's setting; undefined for the default.
 */
export function timeoutFor(RED: Runtime, client: ClientNode, requestTimeout: unknown): number | undefined {
  if (client.settings.timeout !== undefined) return client.settings.timeout * 1000
  const wished = [requestTimeout, RED.settings.httpRequestTimeout].filter(isNumeric)
  return wished.map(Number).find((milliseconds) => milliseconds >= 1)
}

/** A node that calls the service. It says itself which one, because its client may come from a variable or a subflow. */
export interface ServiceNode {
  /** As in `listServiceOf`. */
  eidService(): string | undefined
}

/** The services that these nodes use. */
export function servicesOf({ nodes }: Pick<Runtime, 'nodes'>, ids: Iterable<string>): string[] {
  const services = [...ids].flatMap((id) => (nodes.getNode(id) as Partial<ServiceNode> | null)?.eidService?.() ?? [])
  return [...new Set(services)]
}
