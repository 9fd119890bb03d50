/**
 * The addresses of pages that show an identification in a frame. "embed" knows them, and "identify" has to tell the
 * service: people type them once.
 */
import type { ClientSettings } from '../node-red/client-node'

/** The pages of one node; origins. */
export interface Embedding {
  /** Where the page itself is. */
  readonly page: string
  /** Pages that may show that page in a frame. */
  readonly parents: readonly string[]
}

/** Keyed by the settings object that all nodes of a client share, which lives as long as the deployed client. */
const byClient = new WeakMap<ClientSettings, Set<Embedding>>()

/** Makes the pages of a node known; gives what makes them unknown again. */
export function registerEmbedding(client: ClientSettings, embedding: Embedding): () => void {
  const known = byClient.get(client) ?? new Set()
  byClient.set(client, known.add(embedding))
  return () => void known.delete(embedding)
}

/** What a session needs so that these pages can show it; undefined when there is no page, or more than one origin. */
export function frameSettingsFor(
  client: ClientSettings,
): { readonly parentDomains: string[]; readonly postMessageTargetOrigin: string } | undefined {
  const known = [...(byClient.get(client) ?? [])]
  const [first] = known
  if (!first || known.some(({ page }) => page !== first.page)) return undefined
  const parents = known.flatMap((one) => one.parents)
  return { parentDomains: [...new Set([first.page, ...parents])], postMessageTargetOrigin: first.page }
}
