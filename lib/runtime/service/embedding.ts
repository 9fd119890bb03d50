/**
 * The addresses of pages that show an identification in a frame. "embed" reports them here, because "identify" has to
 * send them to the service, and users should enter them only once.
 */
import type { ClientSettings } from '../node-red/client-node'

/** The origins of one node's pages. */
interface Embedding {
  /** The origin of the page itself. */
  readonly page: string
  /** Origins that may show the page in a frame. */
  readonly parents: readonly string[]
}

/** Keyed by the settings object that all nodes of a client share. This object exists as long as the deployed client. */
const byClient = new WeakMap<ClientSettings, Set<Embedding>>()

/** Registers the pages of a node; returns the function that removes them. */
export function registerEmbedding(client: ClientSettings, embedding: Embedding): () => void {
  const known = byClient.get(client) ?? new Set()
  byClient.set(client, known.add(embedding))
  return () => void known.delete(embedding)
}

/**
 * The settings with which the service lets these pages show a session in a frame; undefined if there is no page, or
 * more than one origin.
 */
export function frameSettingsFor(
  client: ClientSettings,
): { readonly parentDomains: string[]; readonly postMessageTargetOrigin: string } | undefined {
  const known = [...(byClient.get(client) ?? [])]
  const [first] = known
  if (!first || known.some(({ page }) => page !== first.page)) return undefined
  const parents = known.flatMap((one) => one.parents)
  return { parentDomains: [...new Set([first.page, ...parents])], postMessageTargetOrigin: first.page }
}
