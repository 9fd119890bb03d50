/** Documents in the service's format: the whole record, the status, the summary. */
import { objectIn, type JsonObject } from '../server/json'
import { ACCOUNT_ID } from '../state/account'
import { DEFAULT_HOURS } from './deletion'
import { requiredSignaturesOf, signatureCount } from './signers'
import type { Attachment, FileFormat, SignatureDocument, Signer } from './state'
import { packagesOf } from './formats'

/** The record returned by creation and retrieval: the request, and its current state. */
export function documentRecord(document: SignatureDocument): JsonObject {
  return {
    ...document.requested,
    documentId: document.id,
    status: statusRecord(document),
    signers: document.signers.map(signerRecord),
    links: [],
    advanced: {
      ...objectIn(document.requested.advanced),
      requiredSignatures: requiredSignaturesOf(document),
      timeToLive: {
        deleteAfterHours: DEFAULT_HOURS,
        ...objectIn(objectIn(document.requested.advanced).timeToLive),
        deadline: document.deadline,
      },
    },
  }
}

/** The record of a signer, returned by the calls for signers and as part of the document's record. */
export function signerRecord(signer: Signer): JsonObject {
  const { id, url, order, required, signature } = signer
  return {
    tags: [],
    ...signer.requested,
    id,
    url,
    links: [],
    order,
    required,
    ...(signature && { documentSignature: signature }),
  }
}

/** A document's status in the service's format. */
export function statusRecord(document: SignatureDocument): JsonObject {
  const packages = document.attachments.map((one) => [one.id, attachmentPackages(document, one)])
  const attachmentPackagesById = Object.fromEntries(packages) as JsonObject
  const { status, completedPackages } = document
  return { documentStatus: status, completedPackages, attachmentPackages: attachmentPackagesById }
}

/** The formats in which an attachment is available now. */
export function attachmentPackages(document: SignatureDocument, { content }: Attachment): FileFormat[] {
  return document.completedPackages.includes('native') ? packagesOf(document, content) : ['unsigned']
}

/** An attachment in the service's format. */
export function attachmentRecord({ id, requested }: Attachment): JsonObject {
  return { type: 'show_accept', ...requested, id }
}

/** One entry of a list of documents. */
export function summaryRecord(document: SignatureDocument): JsonObject {
  const { id, title, description, lastUpdated, deadline, signedDate, externalId, tags } = document
  return {
    documentId: id,
    accountId: ACCOUNT_ID,
    title,
    ...(description && { description }),
    created: document.created,
    lastUpdated,
    deadline,
    ...(signedDate && { signedDate }),
    status: statusRecord(document),
    externalId,
    documentSignatures: document.signers.flatMap(signatureRecord),
    requiredSignatures: requiredSignaturesOf(document),
    currentSignatures: signatureCount(document),
    tags,
    attachments: document.attachments.map((attachment) => attachment.id),
    signers: document.signers.map((signer) => signer.id),
  }
}

function signatureRecord({ id, externalSignerId, signature }: Signer): JsonObject[] {
  return signature ? [{ ...signature, signerId: id, externalSignerId }] : []
}
