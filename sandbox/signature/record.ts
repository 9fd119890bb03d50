/** Documents as the service shows them: the whole record, the status, the summary. */
import { objectIn, type JsonObject } from '../server/json'
import { ACCOUNT_ID } from '../state/account'
import { signatureCount } from './signers'
import type { SignatureDocument, Signer } from './state'

/** The record that creation and retrieval answer: what was asked for, and what became of it. */
export function documentRecord(document: SignatureDocument): JsonObject {
  return {
    ...document.requested,
    documentId: document.id,
    status: statusRecord(document),
    signers: document.signers.map(signerRecord),
    links: [],
    advanced: {
      ...objectIn(document.requested.advanced),
      requiredSignatures: document.requiredSignatures,
      timeToLive: {
        deleteAfterHours: 168,
        ...objectIn(objectIn(document.requested.advanced).timeToLive),
        deadline: document.deadline,
      },
    },
  }
}

function signerRecord(signer: Signer): JsonObject {
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

/** The status object. */
export function statusRecord(document: SignatureDocument): JsonObject {
  return { documentStatus: document.status, completedPackages: document.completedPackages, attachmentPackages: {} }
}

/** One entry of a list. */
export function summaryRecord(document: SignatureDocument): JsonObject {
  const { id, title, description, lastUpdated, deadline, signedDate, externalId, requiredSignatures, tags } = document
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
    requiredSignatures,
    currentSignatures: signatureCount(document),
    tags,
    attachments: [],
    signers: document.signers.map((signer) => signer.id),
  }
}

function signatureRecord({ id, externalSignerId, signature }: Signer): JsonObject[] {
  return signature ? [{ ...signature, signerId: id, externalSignerId }] : []
}
