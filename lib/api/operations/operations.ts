/** The table of all calls to the service: method, path, the scope it usually needs and whether it may be retried. */

/**
 * Every call is retried if no connection was made, and after 429: then the service has done nothing. This says what
 * happens after a time-out, a broken connection or any 5xx, after which the service may have acted. A 503 counts as one
 * of these even with `Retry-After`, because a gateway may have passed the call on before it answered.
 * - `safe`: retried, because the call changes nothing, or nothing more when made twice.
 * - `lookup`: retried once the service was asked whether the first attempt took effect.
 * - `never`: not retried; the outcome is unknown.
 */
export type Repeat = 'safe' | 'lookup' | 'never'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base address; `{name}` is replaced with the percent-encoded parameter of that name. */
  readonly path: string
  readonly scope?: string
  readonly repeat: Repeat
}

const read = (path: string, scope?: string): Operation => ({ method: 'GET', path, scope, repeat: 'safe' })
const act = (path: string, scope: string): Operation => ({ method: 'POST', path, scope, repeat: 'never' })
/**
 * Changes and removals are never retried blindly, although a repeated change often leaves the same state. Between two
 * attempts, someone else may have changed the object, and the retry would undo that change. A repeated removal gets a
 * 404 that hides the success of the first removal.
 */
const change = (path: string, scope: string): Operation => ({ method: 'PATCH', path, scope, repeat: 'never' })
const remove = (path: string, scope: string): Operation => ({ method: 'DELETE', path, scope, repeat: 'never' })

/**
 * Every call of `interface.md` sections 4.2 to 4.9, and the other calls that the nodes need. The token call (4.1) is in
 * `token-request.ts`.
 */
export const operations = {
  // Signing (4.2)
  createDocument: { method: 'POST', path: '/signature/documents', scope: 'document_write', repeat: 'lookup' },
  getDocument: read('/signature/documents/{id}', 'document_read'),
  getDocumentStatus: read('/signature/documents/{id}/status', 'document_read'),
  listDocuments: read('/signature/documents/summary', 'document_read'),
  cancelDocument: act('/signature/documents/{id}/cancel', 'document_write'),
  getDocumentFile: read('/signature/documents/{id}/files', 'document_file'),
  remindDocument: act('/signature/documents/{id}/notifications/reminder', 'document_write'),
  updateDocument: change('/signature/documents/{id}', 'document_write'),
  getDocumentSummary: read('/signature/documents/{id}/summary', 'document_read'),
  listSigners: read('/signature/documents/{id}/signers', 'document_read'),
  // A repeat would add a second signer, who would have to sign as well.
  addSigner: act('/signature/documents/{id}/signers', 'document_write'),
  getSigner: read('/signature/documents/{id}/signers/{signerId}', 'document_read'),
  changeSigner: change('/signature/documents/{id}/signers/{signerId}', 'document_write'),
  removeSigner: remove('/signature/documents/{id}/signers/{signerId}', 'document_write'),
  listAttachments: read('/signature/documents/{id}/attachments', 'document_read'),
  // A repeat would add a second attachment, and signing starts as soon as the announced number of attachments is
  // reached.
  addAttachment: act('/signature/documents/{id}/attachments', 'document_write'),
  getAttachment: read('/signature/documents/{id}/attachments/{attachmentId}', 'document_read'),
  changeAttachment: change('/signature/documents/{id}/attachments/{attachmentId}', 'document_write'),
  removeAttachment: remove('/signature/documents/{id}/attachments/{attachmentId}', 'document_write'),
  getSignerFile: read('/signature/documents/{id}/files/signers/{signerId}', 'document_file'),
  getAttachmentFile: read('/signature/documents/{id}/files/attachments/{attachmentId}', 'document_file'),
  getAttachmentSignerFile: read(
    '/signature/documents/{id}/files/attachments/{attachmentId}/signers/{signerId}',
    'document_file',
  ),
  listNotifications: read('/signature/documents/{id}/notifications', 'document_read'),
  // These calls only inspect a token; the scope that they need is not documented.
  validateJwt: { method: 'POST', path: '/jwt/validate', scope: undefined, repeat: 'safe' },
  validateOlderJwt: { method: 'POST', path: '/signature/jwt', scope: undefined, repeat: 'safe' },
  ping: read('/signature/status/ping'),
  listThemes: read('/signature/themes/list/themes'),
  listSpinners: read('/signature/themes/list/spinners'),
  listSignatureMethods: read('/signature/signature-methods', 'document_read'),
  listAccountSignatureMethods: read('/signature/signature-methods/account', 'document_read'),

  // Deposit (4.3, 4.4)
  createDeposit: act('/deposit/personal', 'deposit_write'),
  getDeposit: read('/deposit/personal/{id}', 'deposit_read'),
  listDeposits: read('/deposit/personal/summary', 'deposit_read'),
  changeDeposit: change('/deposit/personal/{id}', 'deposit_write'),
  cancelDeposit: act('/deposit/personal/{id}/cancel', 'deposit_write'),
  terminateDeposit: act('/deposit/personal/{id}/terminate', 'deposit_write'),

  // Secure share (4.5, 4.6); the family "buckets" and the older family "share"
  createBucket: act('/share/buckets/', 'share_write'),
  createShare: act('/share/', 'share_write'),
  getBucket: read('/share/buckets/{id}', 'share_read'),
  getShare: read('/share/{id}', 'share_read'),
  listShares: read('/share/buckets', 'share_read'),
  changeShare: change('/share/buckets/{id}', 'share_write'),
  deleteShare: remove('/share/buckets/{id}', 'share_write'),
  listRecipients: read('/share/buckets/{id}/recipients', 'share_read'),
  getRecipient: read('/share/buckets/{id}/recipients/{recipientId}', 'share_read'),
  // A repeat would give a second person access and notify them.
  addRecipient: act('/share/buckets/{id}/recipients', 'share_write'),
  changeRecipient: change('/share/buckets/{id}/recipients/{recipientId}', 'share_write'),
  removeRecipient: remove('/share/buckets/{id}/recipients/{recipientId}', 'share_write'),
  // A repeat would send a second e-mail or SMS.
  notifyRecipients: act('/share/buckets/{id}/resendNotificationToRecipient/{recipientId}', 'share_write'),
  uploadToBucket: act('/share/buckets/{id}/upload/{contentId}', 'share_write'),
  uploadToShare: act('/share/{id}/upload/{contentId}/', 'share_write'),
  uploadFileToShare: act('/share/{id}/file/{contentId}', 'share_write'),

  // Identification v2 (4.7)
  createSession: act('/identification/v2/sessions', 'identify'),
  getSession: read('/identification/v2/sessions/{id}', 'identify'),
  listSessions: read('/identification/v2/sessions', 'identify'),
  invalidateSession: {
    method: 'POST',
    path: '/identification/v2/sessions/{id}/invalidate',
    scope: 'identify',
    repeat: 'safe',
  },
  listIdentificationLanguages: read('/identification/v2/languages', 'identify'),
  listIdProviders: read('/identification/v2/id-providers', 'identify'),
  listAccountIdProviders: read('/identification/v2/id-providers/account', 'identify'),

  // Identification v1 (4.8); `requetsId` in its queries is misspelled by the service itself
  v1CreateSession: act('/identification/session', 'identify'),
  v1GetSession: read('/identification/session', 'identify'),
  v1GetSessionStatus: read('/identification/session/status', 'identify'),
  v1InvalidateSession: {
    method: 'PUT',
    path: '/identification/sessions/invalidate',
    scope: 'identify',
    repeat: 'safe',
  },
  // This path is from the service's own documentation. The path of `v1InvalidateSession` is from the migration page.
  v1InvalidateSessionByBody: {
    method: 'PUT',
    path: '/identification/session/invalidate',
    scope: 'identify',
    repeat: 'safe',
  },
  v1ListLog: read('/identification/log/filter/{year}', 'identify'),
  v1GetLogEntry: read('/identification/log/requestId/{id}', 'identify'),
  v1StartMobile: act('/identification/no/eid/mobile', 'identify'),

  // Notification (4.9)
  listWebhooks: read('/notification/webhooks', 'event'),
  createWebhook: act('/notification/webhooks', 'event'),
  getWebhook: read('/notification/webhooks/{id}', 'event'),
  updateWebhook: { method: 'PATCH', path: '/notification/webhooks/{id}', scope: 'event', repeat: 'never' },
  deleteWebhook: { method: 'DELETE', path: '/notification/webhooks/{id}', scope: 'event', repeat: 'never' },
  pingWebhook: act('/notification/webhooks/{id}/ping', 'event'),
  listWebhookDeliveries: read('/notification/webhooks/{id}/deliveries', 'event'),
  pullEvents: read('/notification/events', 'event'),
  peekEvents: read('/notification/events/peek', 'event'),
  // An event that is already handled stays handled.
  handleEvent: { method: 'POST', path: '/notification/events/{id}/handle', scope: 'event', repeat: 'safe' },
  handleEvents: { method: 'POST', path: '/notification/events/handle', scope: 'event', repeat: 'safe' },
  clearEvents: act('/notification/events/clear', 'event'),
  listEventTypes: read('/notification/events/types', 'event'),
  mockEvent: act('/notification/events/mock', 'event'),
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** The scopes that a client can have (`interface.md` 5, and the four of share and deposit). */
export const scopes = [
  'document_read',
  'document_write',
  'document_file',
  'event',
  'identify',
  'share_read',
  'share_write',
  'deposit_read',
  'deposit_write',
] as const
