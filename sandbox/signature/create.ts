/**
 * Creates a document (`docs/interface.md` 4.2): only one document per external id, however often the call is repeated.
 */
import { randomUUID } from 'node:crypto'
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { expectedAttachments, checkDocument, MAX_LIFETIME_MS } from './check'
import { keepContent } from './content'
import { convertedFile, convertedName, isConverted } from './convert'
import { askSigners } from './notices'
import { documentRecord } from './record'
import { planReminders } from './reminders'
import { createSigner } from './signers'
import { externalKey, type SignatureDocument } from './state'
import { planExpiry } from './transitions'

/**
 * `POST /signature/documents`: returns the record; notifies the signers whose turn it is, according to their settings.
 */
export async function createDocument(call: Call, world: World): Promise<Answer> {
  const body = call.json()
  const clientId = call.client?.id ?? ''
  const existing = world.signature.byExternalId.get(externalKey(clientId, textIn(body.externalId)))
  if (existing) return { json: documentRecord(existing) }
  const errors = checkDocument(body, world.clock.now())
  if (errors.length > 0) throw invalid(errors)
  const document = readDocument(body, clientId, world)
  // The document is registered before its bytes are stored, so that a repeated call in the meantime finds it.
  const key = externalKey(clientId, document.externalId)
  world.signature.byExternalId.set(key, document)
  await storeContent(document, body, world).catch((error: unknown) => {
    world.signature.byExternalId.delete(key)
    throw error
  })
  remember(document, world)
  return { json: documentRecord(document) }
}

function readDocument(body: JsonObject, clientId: string, world: World): SignatureDocument {
  const id = randomUUID()
  const signers = objectsIn(body.signers).map((signer) => createSigner(signer, id, world))
  const advanced = objectIn(body.advanced)
  const created = world.clock.iso()
  const fileName = textIn(objectIn(body.dataToSign).fileName)
  const deadline = textIn(objectIn(advanced.timeToLive).deadline)
  return {
    id,
    clientId,
    externalId: textIn(body.externalId),
    title: textIn(body.title),
    description: textIn(body.description),
    fileName: isConverted(body) ? convertedName(fileName) : fileName,
    requested: withoutBytes(body),
    content: undefined,
    signers,
    attachments: [],
    sentNotices: [],
    tags: textsIn(advanced.tags),
    created,
    deadline: new Date(deadline ? Date.parse(deadline) : Date.parse(created) + MAX_LIFETIME_MS).toISOString(),
    lastUpdated: created,
    signedDate: undefined,
    status: expectedAttachments(body) > 0 ? 'waiting_for_attachments' : 'unsigned',
    completedPackages: ['unsigned'],
    stopExpiry: () => undefined,
    stopReminders: () => undefined,
    isDeleted: false,
    stopDeletion: () => undefined,
  }
}

function withoutBytes(body: JsonObject): JsonObject {
  if (body.dataToSign === undefined) return body
  const { base64Content: _bytes, ...dataToSign } = objectIn(body.dataToSign)
  return { ...body, dataToSign }
}

async function storeContent(document: SignatureDocument, body: JsonObject, world: World): Promise<void> {
  const content = textIn(objectIn(body.dataToSign).base64Content)
  if (!content) return
  const bytes = Buffer.from(content, 'base64')
  const file = isConverted(body) ? await convertedFile(bytes, textIn(objectIn(body.dataToSign).fileName)) : bytes
  document.content = await keepContent(file, world)
}

function remember(document: SignatureDocument, world: World): void {
  world.signature.documents.set(document.id, document)
  for (const signer of document.signers) world.signature.bySigner.set(signer.token, { document, signer })
  planExpiry(document, document.deadline, world)
  planReminders(document, world)
  world.emit('document_created', { documentId: document.id, externalDocumentId: document.externalId }, document.tags)
  askSigners(document, world)
}
