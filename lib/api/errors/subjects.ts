/**
 * Finds out from a path which object of the service a call is about, so that an error says "document" and its id
 * instead of an address.
 */

type Pattern = readonly [string, RegExp]

/** The paths of signers, attachments and recipients also match the pattern of their document or share. */
const parts: readonly Pattern[] = [
  ['signer', /^\/signature\/documents\/[^/]+\/(?:files\/)?signers\/([^/]+)/],
  ['attachment', /^\/signature\/documents\/[^/]+\/(?:files\/)?attachments\/([^/]+)/],
  ['recipient', /^\/share\/buckets\/[^/]+\/(?:recipients|resendNotificationToRecipient)\/([^/]+)/],
]

const wholes: readonly Pattern[] = [
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

/** The object whose id is in the path (below the base address); undefined if the path contains no id. */
export function subjectOf(path: string): Subject | undefined {
  return firstOf(parts, path) ?? wholeOf(path)
}

/** The same, but for a signer, an attachment or a recipient the document or the share to which it belongs. */
export function wholeOf(path: string): Subject | undefined {
  return firstOf(wholes, path)
}

function firstOf(patterns: readonly Pattern[], path: string): Subject | undefined {
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
    return id // A path typed by a person may be badly encoded; it is then shown as it is.
  }
}
