/** The clients that exist in every sandbox from the start. */

/** An API client, as in the service's dashboard. */
export interface Client {
  readonly id: string
  readonly secret: string
  readonly scopes: readonly string[]
}

const everyScope = [
  'document_read',
  'document_write',
  'document_file',
  'event',
  'identify',
  'share_read',
  'share_write',
  'deposit_read',
  'deposit_write',
]

/** The clients of every sandbox: `sandbox` has every scope, `few` may only read documents. */
export function seedClients(): Client[] {
  return [
    { id: 'sandbox', secret: 'sandbox', scopes: everyScope },
    { id: 'few', secret: 'few', scopes: ['document_read'] },
  ]
}
