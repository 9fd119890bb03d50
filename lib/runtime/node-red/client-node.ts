/** What the other nodes see of the client's config node. */
import type { ApiClient } from '../../api/client'
import { configError } from '../../api/errors/errors'
import type { Runtime, RuntimeNode } from './node-red'

/** Settings of the client that decide how other nodes word their requests, and where they run. */
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
  /** Seconds, only when the person has set them for this client. */
  readonly timeout: number | undefined
}

export interface ClientNode extends RuntimeNode {
  readonly settings: ClientSettings
  /** The one HTTP client. Rejects with EID_CONFIG when the settings do not allow one. */
  connect(): Promise<ApiClient>
}

/** Finds the client node with this id; throws EID_CONFIG when it is missing or disabled. */
export function findClient(RED: Runtime, id: unknown): ClientNode {
  const node = typeof id === 'string' && id !== '' ? RED.nodes.getNode(id) : undefined
  if (!node || !('connect' in node)) throw configError('noClient')
  return node as ClientNode
}

/** Which service the client with this id asks; undefined when there is no such client. */
export function askedOf(RED: Runtime, id: unknown): { client: string; service: string } | undefined {
  const node = typeof id === 'string' && id !== '' ? (RED.nodes.getNode(id) as Partial<ClientNode> | null) : null
  return node?.settings && { client: String(id), service: node.settings.service }
}

/** True when the node with this id talks to the simulated service. */
export function isSandbox(RED: Runtime, id: unknown): boolean {
  const node = typeof id === 'string' ? (RED.nodes.getNode(id) as Partial<ClientNode> | null) : null
  return node?.settings?.environment === 'sandbox'
}

/** What can be a number: making one of anything else may throw, or give one that was not meant. */
function isNumeric(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string'
}

/**
 * Milliseconds one call may take: the client's own setting, then the message's, then Node-RED's, otherwise the
 * client's default.
 */
export function timeoutFor(RED: Runtime, client: ClientNode, requestTimeout: unknown): number | undefined {
  if (client.settings.timeout !== undefined) return client.settings.timeout * 1000
  const wished = [requestTimeout, RED.settings.httpRequestTimeout].filter(isNumeric)
  return wished.map(Number).find((milliseconds) => milliseconds >= 1)
}
