/**
 * Makes sure that the parts of the editor that all forms share are loaded only once, with the client's form. The other
 * nodes wait here until these parts are loaded.
 */
import type { CreateNodeForm } from './common-definition'
import type { FormParts } from './form-context'

interface Shared {
  readonly createForm: CreateNodeForm
  readonly showMissingColumns: (parts: FormParts) => void
}

type Use = (shared: Shared) => void

interface Waiting {
  push(use: Use): void
  forEach?(visit: (use: Use) => void): void
}

const host = window as unknown as { eidEditor?: Waiting }

/**
 * Runs `use` as soon as the shared parts are loaded. This may be later, because Node-RED may load the nodes of a
 * package in any order.
 */
export function whenReady(use: Use): void {
  host.eidEditor ??= [] as Use[]
  host.eidEditor.push(use)
}

/** Passes the shared parts to every node that waits for them, and to nodes that ask later. */
export function provide(shared: Shared): void {
  const waiting = host.eidEditor
  host.eidEditor = { push: (use) => use(shared) }
  waiting?.forEach?.((use) => use(shared))
}
