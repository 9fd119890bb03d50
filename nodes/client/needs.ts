/** Which scopes the nodes of a workspace need, given their settings. */
import { flagOf } from '../../lib/settings/flag'
import { operations, type OperationName } from '../../lib/api/operations/operations'
import type { Field, Fields } from '../../lib/settings/fields'
import type { fields as archiveFields } from '../archive/archive.fields'
import type { fields as depositFields } from '../deposit/deposit.fields'
import type { fields as documentFields } from '../document/document.fields'
import type { fields as embedFields } from '../embed/embed.fields'
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
  remind: ['remindDocument'],
  update: ['updateDocument'],
}

const archives: CallsBy<typeof archiveFields, 'operation'> = {
  archive: ['getDocument', 'getDocumentStatus', 'getDocumentFile', 'listNotifications'],
  check: [],
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

/** Shared by all goals of a wait that have signers: only signers can be reminded. */
const status = ['getDocumentStatus'] as const

const waits: CallsBy<typeof waitFields, 'what'> = {
  document: status,
  'first-signature': status,
  'files-ready': status,
  session: ['getSession'],
  share: ['getBucket'],
  deposit: ['getDeposit'],
  'deposit-signed': ['getDeposit'],
  'deposit-funded': ['getDeposit'],
}

const pages: CallsBy<typeof embedFields, 'what'> = {
  auto: [],
  document: status,
  session: ['getSession'],
}

/**
 * The calls that each type of node makes with its settings; if `isBare`, only those that it can't do without. Types that
 * make no calls are left out, and so is "request", whose calls depend on its path and are not known here.
 */
const needs: Readonly<Record<string, (node: Node, isBare: boolean) => readonly OperationName[]>> = {
  // The look-up is skipped if the client may not read.
  'eid-create-document': (_node, isBare) => ['createDocument', ...(isBare ? [] : (['listDocuments'] as const))],
  'eid-document': (node) => [
    ...chosen(documents, node.operation, 'get'),
    ...(node.operation === 'download' && flagOf(node.waitUntilReady) === true ? (['getDocumentStatus'] as const) : []),
  ],
  'eid-archive': (node) => chosen(archives, node.operation, 'archive'),
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
  'eid-approve': () => ['createSession', 'getSession'],
  'eid-wait': (node) => {
    const calls = chosen(waits, node.what, 'document')
    // Reminders set for a document stay in the flow file when the node waits for something else; none is sent then.
    return node.remindAfter && calls === status ? [...calls, 'remindDocument'] : calls
  },
  'eid-embed': (node) => chosen(pages, node.what, 'auto'),
  'eid-events': () => ['pullEvents'],
  'eid-webhook': (node) => (flagOf(node.register) === true ? ['createWebhook', 'pingWebhook'] : []),
  'eid-overview': (node) => (flagOf(node.mayAct) === true ? ['getDocument', 'remindDocument', 'cancelDocument'] : []),
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

/**
 * The scopes of which one is enough for a page whose message says whether it is for a document or a session. Many
 * clients may only sign, or only identify, and a scope too many makes the service refuse the client.
 */
const either = ['document_read', 'identify']
const isOpen = ({ type, what }: Node) => type === 'eid-embed' && chosen(pages, what, 'auto').length === 0

/**
 * The scopes that `nodes` need, in order of first need. With the scopes that their client has in `given`, only those
 * that it lacks and that the nodes can't do without.
 */
export function neededScopes(nodes: readonly Node[], given?: readonly string[]): string[] {
  const names = nodes.flatMap((node) => needs[String(node.type)]?.(node, given !== undefined) ?? [])
  const table: Readonly<Record<string, { scope?: string }>> = operations
  const found = [...new Set(names.flatMap((name) => table[name]?.scope ?? []))]
  const has = given ?? found
  if (nodes.some(isOpen) && !either.some((scope) => has.includes(scope)))
    found.push(...(given ? [either.join(' / ')] : either))
  return given ? found.filter((scope) => !given.includes(scope)) : found
}
