/** The simulated signature calls (`docs/interface.md` 4.2), and others that the nodes need. */
import type { Panel } from '../admin/panel-type'
import type { Answer, Call, Method, Route, Routes } from '../server/call'
import { signerRoutes } from '../signer/routes'
import { validateJwt, validateOlderJwt } from '../signer/validate'
import type { World } from '../world'
import { createDocument } from './create'
import { addAttachment, changeAttachment, getAttachment, listAttachments, removeAttachment } from './attachments'
import { getAttachmentFile, getAttachmentSignerFile, getDocumentFile, getSignerFile } from './files'
import { findDocument } from './find'
import { listDocuments } from './list'
import { listMethods, listSpinners, listThemes } from './account-lists'
import { documentPanel } from './panel'
import { documentRecord, statusRecord, summaryRecord } from './record'
import { remindDocument } from './remind'
import { documentRoomRoutes } from './room-calls'
import { addSigner, changeSigner, getSigner, listSigners, removeSigner } from './signer-calls'
import { cancel } from './transitions'
import { updateDocument } from './update'

const at = (method: Method, path: string, scope: string | undefined, handle: Route['handle']): Route => {
  return { method, path: `/signature${path}`, scope, handle }
}
const reading = 'document_read'
const writing = 'document_write'
const filing = 'document_file'
const one = '/documents/:id'

export const signatureRoutes = {
  createDocument: at('POST', '/documents', writing, createDocument),
  getDocument: at('GET', one, reading, getDocument),
  updateDocument: at('PATCH', one, writing, updateDocument),
  cancelDocument: at('POST', `${one}/cancel`, writing, cancelDocument),
  getDocumentStatus: at('GET', `${one}/status`, reading, getStatus),
  getDocumentSummary: at('GET', `${one}/summary`, reading, getSummary),
  listDocuments: at('GET', '/documents/summary', reading, listDocuments),
  listSigners: at('GET', `${one}/signers`, reading, listSigners),
  addSigner: at('POST', `${one}/signers`, writing, addSigner),
  getSigner: at('GET', `${one}/signers/:signerId`, reading, getSigner),
  changeSigner: at('PATCH', `${one}/signers/:signerId`, writing, changeSigner),
  removeSigner: at('DELETE', `${one}/signers/:signerId`, writing, removeSigner),
  listAttachments: at('GET', `${one}/attachments`, reading, listAttachments),
  addAttachment: at('POST', `${one}/attachments`, writing, addAttachment),
  getAttachment: at('GET', `${one}/attachments/:attachmentId`, reading, getAttachment),
  changeAttachment: at('PATCH', `${one}/attachments/:attachmentId`, writing, changeAttachment),
  removeAttachment: at('DELETE', `${one}/attachments/:attachmentId`, writing, removeAttachment),
  getDocumentFile: at('GET', `${one}/files`, filing, getDocumentFile),
  getSignerFile: at('GET', `${one}/files/signers/:signerId`, filing, getSignerFile),
  getAttachmentFile: at('GET', `${one}/files/attachments/:attachmentId`, filing, getAttachmentFile),
  getAttachmentSignerFile: at(
    'GET',
    `${one}/files/attachments/:attachmentId/signers/:signerId`,
    filing,
    getAttachmentSignerFile,
  ),
  listNotifications: at('GET', `${one}/notifications`, reading, listNotifications),
  remindDocument: at('POST', `${one}/notifications/reminder`, writing, remindDocument),
  validateJwt: { method: 'POST', path: '/jwt/validate', handle: validateJwt },
  validateOlderJwt: { method: 'POST', path: '/signature/jwt', handle: validateOlderJwt },
  ping: at('GET', '/status/ping', undefined, () => ({})),
  listThemes: at('GET', '/themes/list/themes', undefined, listThemes),
  listSpinners: at('GET', '/themes/list/spinners', undefined, listSpinners),
  listSignatureMethods: at('GET', '/signature-methods', reading, listMethods),
  listAccountSignatureMethods: at('GET', '/signature-methods/account', reading, listMethods),
} satisfies Partial<Routes>

/** Pages and control room calls of this area. */
export const signaturePages: readonly Route[] = [...signerRoutes, ...documentRoomRoutes]

/** The control room panels of this area. */
export const signaturePanels: readonly Panel[] = [documentPanel]

function getDocument(call: Call, world: World): Answer {
  return { json: documentRecord(findDocument(call, world)) }
}

function getStatus(call: Call, world: World): Answer {
  return { json: statusRecord(findDocument(call, world)) }
}

function getSummary(call: Call, world: World): Answer {
  return { json: summaryRecord(findDocument(call, world)) }
}

/** `GET …/notifications`: the notices to the signers, oldest first. */
function listNotifications(call: Call, world: World): Answer {
  return { json: findDocument(call, world).sentNotices }
}

/** `POST …/cancel?reason=`: returns nothing. */
function cancelDocument(call: Call, world: World): Answer {
  cancel(findDocument(call, world), call.query.get('reason') ?? '', world)
  return {}
}
