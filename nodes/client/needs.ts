/** Which scopes the nodes of a workspace need, given their settings. */
import { operations, type OperationName } from '../../lib/api/operations/operations'
import type { Field, Fields } from '../../lib/settings/fields'
import type { fields as depositFields } from '../deposit/deposit.fields'
import type { fields as documentFields } from '../document/document.fields'
import type { fields as sessionFields } from '../identification-session/identification-session.fields'
import type { fields as shareFields } from '../share/share.fields'
import type { fields as waitFields } from '../wait/wait.fields'

type Node = Readonly<Record<string, unknown>>
type ChoiceOf<T> = T extends Field & { choices: readonly (infer Choice extends string)[] } ? Choice : never
/**
 * The calls behind each choice of a setting. A choice with the same name as its call need not be listed; if any other
 * choice is missing, the code does not compile.
 */
type CallsBy<F extends Fields, Name extends keyof F> = Readonly<
  Record<Exclude<ChoiceOf<F[Name]>, OperationName>, readonly OperationName[]>
>

const documents: CallsBy<typeof documentFields, 'operation'> = {
  get: ['getDocument'],
  status: ['getDocumentStatus'],
  summary: ['getDocumentSummary'],
  list: ['listDocuments'],
  cancel: ['cancelDocument'],
  download: ['getDocumentFile'],
  archive: ['getDocument', 'getDocumentStatus', 'getDocumentFile', 'listNotifications'],
  checkArchive: [],
  remind: ['remindDocument'],
  update: ['updateDocument'],
}

const sessions: CallsBy<typeof sessionFields, 'operation'> = {
  create: ['createSession'],
  get: ['getSession'],
  list: ['listSessions'],
  invalidate: ['invalidateSession'],
}

const shares: CallsBy<typeof shareFields, 'operation'> = {
  get: ['getBucket'],
  list: ['listShares'],
  change: ['changeShare'],
  delete: ['deleteShare'],
  notify: ['notifyRecipients'],
}

const deposits: CallsBy<typeof depositFields, 'operation'> = {
  create: ['createDeposit'],
  get: ['getDeposit'],
  list: ['listDeposits'],
  change: ['changeDeposit'],
}

const waits: CallsBy<typeof waitFields, 'what'> = {
  document: ['getDocumentStatus'],
  'first-signature': ['getDocumentStatus'],
  'files-ready': ['getDocumentStatus'],
  session: ['getSession'],
  share: ['getBucket'],
  deposit: ['getDeposit'],
  'deposit-signed': ['getDeposit'],
  'deposit-funded': ['getDeposit'],
}

/**
 * The calls that each type of node makes with its settings. The calls of "request" depend on its path and are not known
 * here.
 */
const needs: Readonly<Record<string, (node: Node) => readonly OperationName[]>> = {
  'eid-create-document': () => ['createDocument', 'listDocuments'],
  'eid-document': (node) => [
    ...chosen(documents, node.operation, 'get'),
    ...(node.operation === 'download' && node.waitUntilReady === true ? (['getDocumentStatus'] as const) : []),
  ],
  'eid-identification-session': (node) => chosen(sessions, node.operation, 'create'),
  'eid-share-create': () => ['createBucket'],
  'eid-share': (node) => chosen(shares, node.operation, 'get'),
  'eid-share-upload': () => ['uploadToBucket'],
  'eid-deposit': (node) => chosen(deposits, node.operation, 'get'),
  'eid-deposit-cancel': () => ['cancelDeposit'],
  'eid-deposit-terminate': (node) => [
    'terminateDeposit',
    ...(node.expectedTotal && node.category !== 'SPLIT' ? (['getDeposit'] as const) : []),
  ],
  'eid-wait': (node) => [
    ...chosen(waits, node.what, 'document'),
    ...(node.remindAfter ? (['remindDocument'] as const) : []),
  ],
  'eid-embed': () => ['getDocumentStatus', 'getSession'],
  'eid-events': () => ['pullEvents'],
  'eid-webhook': (node) => (node.register === true ? ['createWebhook', 'pingWebhook'] : []),
  'eid-batch': () => [],
  'eid-pending': () => [],
  'eid-alerts': () => [],
  'eid-overview': (node) => (node.mayAct === true ? ['getDocument', 'remindDocument', 'cancelDocument'] : []),
  'eid-request': () => [],
}

/** The calls of a stored choice; if the flow file lacks it, the default of a new node applies. */
function chosen<Choice extends string>(
  calls: Readonly<Record<Choice, readonly OperationName[]>>,
  stored: unknown,
  initial: NoInfer<Choice>,
): readonly OperationName[] {
  const isIn = <Name extends string>(table: Readonly<Record<Name, unknown>>, name: unknown): name is Name =>
    typeof name === 'string' && Object.hasOwn(table, name)
  if (isIn(calls, stored)) return calls[stored]
  return isIn(operations, stored) ? [stored] : calls[initial]
}

/** The scopes that `nodes` need, in order of first need. */
export function neededScopes(nodes: readonly Node[]): string[] {
  const names = nodes.flatMap((node) => needs[String(node.type)]?.(node) ?? [])
  const table: Readonly<Record<string, { scope?: string }>> = operations
  return [...new Set(names.flatMap((name) => table[name]?.scope ?? []))]
}
