/** The clients every sandbox knows from the start. */
import type { Client } from '../server/call'

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

/** `sandbox` with every scope, and `few`, which may only read documents. */
export function seedClients(): Client[] {
  return [
    { id: 'sandbox', secret: 'sandbox', scopes: everyScope },
    { id: 'few', secret: 'few', scopes: ['document_read'] },
  ]
}
