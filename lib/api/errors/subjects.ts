/**
 * Finds from a path which of the service's things a call is about, so that people read "document" and its id instead
 * of an address.
 */

const patterns: readonly (readonly [string, RegExp])[] = [
  // What belongs to a document or a share comes before these.
  ['signer', /^\/signature\/documents\/[^/]+\/(?:files\/)?signers\/([^/]+)/],
  ['attachment', /^\/signature\/documents\/[^/]+\/(?:files\/)?attachments\/([^/]+)/],
  ['recipient', /^\/share\/buckets\/[^/]+\/(?:recipients|resendNotificationToRecipient)\/([^/]+)/],
  ['document', /^\/signature\/documents\/(?!summary(?:\/|$))([^/]+)/],
  ['session', /^\/identification\/v2\/sessions\/([^/]+)/],
  ['share', /^\/share\/buckets\/([^/]+)/],
  ['share', /^\/share\/(?!buckets(?:\/|$))([^/]+)/],
  ['deposit', /^\/deposit\/personal\/([^/]+)/],
  ['webhook', /^\/notification\/webhooks\/([^/]+)/],
  ['event', /^\/notification\/events\/([^/]+)\/handle/],
]

export interface Subject {
  /**
   * `document`, `signer`, `attachment`, `session`, `share`, `recipient`, `deposit`, `webhook` or `event`.
   */
  readonly kind: string
  readonly id: string
}

/** The thing that a path (below the base address) names by its id; undefined when it names none. */
export function subjectOf(path: string): Subject | undefined {
  for (const [kind, pattern] of patterns) {
    const id = pattern.exec(path)?.[1]
    if (id !== undefined) return { kind, id: decoded(id) }
  }
  return undefined
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id // A path that a person typed may be wrongly encoded; it is shown as it is.
  }
}
