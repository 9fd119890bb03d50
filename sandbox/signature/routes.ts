/** The simulated signature calls. */
import { refuse } from '../server/answers'
import type { Method, Route, Routes } from '../server/call'
import type { Panel } from '../admin/panels'

const unavailable = (method: Method, path: string, scope?: string): Route => ({
  method,
  path,
  scope,
  handle: () => {
    throw refuse(503, 'UNAVAILABLE', 'This call has no simulated answer.')
  },
})

export const signatureRoutes = {
  createDocument: unavailable('POST', '/signature/documents', 'document_write'),
  getDocument: unavailable('GET', '/signature/documents/:id', 'document_read'),
  getDocumentStatus: unavailable('GET', '/signature/documents/:id/status', 'document_read'),
  listDocuments: unavailable('GET', '/signature/documents/summary', 'document_read'),
  cancelDocument: unavailable('POST', '/signature/documents/:id/cancel', 'document_write'),
  getDocumentFile: unavailable('GET', '/signature/documents/:id/files', 'document_file'),
  remindDocument: unavailable('POST', '/signature/documents/:id/notifications/reminder', 'document_write'),
  listThemes: unavailable('GET', '/signature/themes/list/themes'),
  listSpinners: unavailable('GET', '/signature/themes/list/spinners'),
  listSignatureMethods: unavailable('GET', '/signature/signature-methods', 'document_read'),
} satisfies Partial<Routes<never>>

/** Pages and control room calls of this area. */
export const signaturePages: readonly Route[] = []

/** What the control room shows of this area. */
export const signaturePanels: readonly Panel[] = []
