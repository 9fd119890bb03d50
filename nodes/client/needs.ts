/** Which scopes the nodes of a workspace need, by what they are set to do. */
import type { fields as documentFields } from '../document/document.fields'
import { operations, type OperationName } from '../../lib/api/operations'

type Node = Readonly<Record<string, unknown>>

type DocumentOperation = (typeof documentFields.operation.choices)[number]

/** Every choice of the form is here, or it does not compile. */
const documents: Readonly<Record<DocumentOperation, OperationName>> = {
  get: 'getDocument',
  status: 'getDocumentStatus',
  list: 'listDocuments',
  cancel: 'cancelDocument',
  download: 'getDocumentFile',
  remind: 'remindDocument',
  update: 'updateDocument',
  listSigners: 'listSigners',
  addSigner: 'addSigner',
  changeSigner: 'changeSigner',
  removeSigner: 'removeSigner',
  listAttachments: 'listAttachments',
  addAttachment: 'addAttachment',
  removeAttachment: 'removeAttachment',
  listNotifications: 'listNotifications',
}

const waits: Readonly<Record<string, OperationName>> = {
  document: 'getDocumentStatus',
  session: 'getSession',
  share: 'getBucket',
  deposit: 'getDeposit',
}

const needs: Readonly<Record<string, (node: Node) => OperationName[]>> = {
  'eid-create-document': () => ['createDocument', 'listDocuments'],
  'eid-document': (node) => [
    documents[String(node.operation) as DocumentOperation] ?? 'getDocument',
    ...(node.operation === 'download' && node.waitUntilReady === true ? (['getDocumentStatus'] as const) : []),
  ],
  'eid-identification-session': () => ['createSession'],
  'eid-share-create': () => ['createBucket'],
  'eid-share-upload': () => ['uploadToBucket'],
  'eid-deposit-cancel': () => ['cancelDeposit'],
  'eid-deposit-terminate': () => ['terminateDeposit'],
  'eid-wait': (node) => [waits[String(node.what)] ?? 'getDocumentStatus'],
  'eid-embed': () => ['getDocumentStatus', 'getSession'],
  'eid-events': () => ['pullEvents'],
  'eid-webhook': (node) => (node.register === true ? ['createWebhook', 'pingWebhook'] : []),
}

/** The scopes that `nodes` need, in the order they are first needed. What "request" needs depends on its path and is not known here. */
export function neededScopes(nodes: readonly Node[]): string[] {
  const names = nodes.flatMap((node) => needs[String(node.type)]?.(node) ?? [])
  const table: Readonly<Record<string, { scope?: string }>> = operations
  return [...new Set(names.flatMap((name) => table[name]?.scope ?? []))]
}
