/** The simulated signature calls (`docs/interface.md` 4.2), and what the nodes need beside them. */
import type { Panel } from '../admin/panel-type'
import type { Answer, Call, Route, Routes } from '../server/call'
import { signerRoutes } from '../signer/routes'
import type { World } from '../world'
import { createDocument } from './create'
import { getDocumentFile } from './files'
import { findDocument } from './find'
import { listDocuments } from './list'
import { listMethods, listSpinners, listThemes } from './account-lists'
import { documentPanel } from './panel'
import { documentRecord, statusRecord } from './record'
import { remindDocument } from './remind'
import { cancel } from './transitions'

const documents = '/signature/documents'
const [reading, writing] = ['document_read', 'document_write']

export const signatureRoutes = {
  createDocument: { method: 'POST', path: documents, scope: writing, handle: createDocument },
  getDocument: { method: 'GET', path: `${documents}/:id`, scope: reading, handle: getDocument },
  getDocumentStatus: { method: 'GET', path: `${documents}/:id/status`, scope: reading, handle: getStatus },
  listDocuments: { method: 'GET', path: `${documents}/summary`, scope: reading, handle: listDocuments },
  cancelDocument: { method: 'POST', path: `${documents}/:id/cancel`, scope: writing, handle: cancelDocument },
  getDocumentFile: { method: 'GET', path: `${documents}/:id/files`, scope: 'document_file', handle: getDocumentFile },
  remindDocument: {
    method: 'POST',
    path: `${documents}/:id/notifications/reminder`,
    scope: writing,
    handle: remindDocument,
  },
  listThemes: { method: 'GET', path: '/signature/themes/list/themes', handle: listThemes },
  listSpinners: { method: 'GET', path: '/signature/themes/list/spinners', handle: listSpinners },
  listSignatureMethods: { method: 'GET', path: '/signature/signature-methods', scope: reading, handle: listMethods },
} satisfies Partial<Routes>

/** Pages and control room calls of this area. */
export const signaturePages: readonly Route[] = signerRoutes

/** What the control room shows of this area. */
export const signaturePanels: readonly Panel[] = [documentPanel]

function getDocument(call: Call, world: World): Answer {
  return { json: documentRecord(findDocument(call, world)) }
}

function getStatus(call: Call, world: World): Answer {
  return { json: statusRecord(findDocument(call, world)) }
}

/** `POST …/cancel?reason=`: answers nothing. */
function cancelDocument(call: Call, world: World): Answer {
  cancel(findDocument(call, world), call.query.get('reason') ?? '', world)
  return {}
}
