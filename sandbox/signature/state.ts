/** The sandbox's data about documents and their signers. */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../server/json'
import { BoundedMap } from '../state/bounded'

const documentStatuses = [
  'unsigned',
  'waiting_for_attachments',
  'partialsigned',
  'signed',
  'canceled',
  'expired',
] as const

type DocumentStatus = (typeof documentStatuses)[number]

/** The formats of a file. */
export const fileFormats = ['unsigned', 'native', 'standard_packaging', 'pades', 'xades'] as const

export type FileFormat = (typeof fileFormats)[number]

/** The bytes of a document, wherever they are kept. */
export interface Content {
  readonly size: number
  readonly isPdf: boolean
  /** The bytes; undefined if they were dropped to make room. */
  read(): Promise<Buffer | undefined>
  remove(): void
}

/** How a signer signed, in the service's terms. */
export interface DocumentSignature {
  readonly signatureMethod: string
  readonly fullName: string
  readonly firstName: string
  readonly lastName: string
  /** ISO 8601. */
  readonly signedTime: string
  readonly dateOfBirth: string
  readonly signatureMethodUniqueId: string
  readonly mechanism: string
  readonly clientIp: string
  /**
   * The signer's answers before signing. Their place in the record is the sandbox's own choice: only events are
   * documented to contain them.
   */
  readonly attributes?: JsonObject
  readonly socialSecurityNumber?: { readonly value: string; readonly countryCode: string }
}

/** The signer's last action on the page, other than signing. */
type SignerAct = 'opened' | 'read' | 'left' | 'failed'

export interface Signer {
  readonly id: string
  /** The token in the link that opens the signer's page. */
  readonly token: string
  readonly url: string
  externalSignerId: string
  order: number
  required: boolean
  /** The signer as requested, with later changes applied. */
  requested: JsonObject
  signature: DocumentSignature | undefined
  /**
   * When the open page stops working, in milliseconds by the sandbox's clock: at `expires` without further activity, at
   * `ends` in any case. Undefined before the page was opened.
   */
  session: { expires: number; readonly ends: number } | undefined
  /** Whether the request to sign was sent. */
  asked: boolean
  lastAct: SignerAct | undefined
  /** Whether the signer got the link by e-mail, and whether that e-mail was opened. */
  mail: 'none' | 'sent' | 'opened'
  /** The signer's answers on the page. */
  formFields: JsonObject | undefined
  /**
   * Whether the signer has identified. Matters only if the settings require this before reading; `code` is the code
   * that was then sent to the signer.
   */
  identified: boolean
  code: string
}

export interface Attachment {
  readonly id: string
  /** The attachment as requested, with later changes applied; does not contain the bytes. */
  requested: JsonObject
  content: Content
}

/** A message to a signer, as the log of the document shows it. */
export interface SentNotice {
  /** ISO 8601. */
  readonly sentTimeStamp: string
  readonly title: string
  readonly text: string
  readonly messageType: 'EMAIL' | 'SMS'
  readonly status: string
  readonly fromAddress: string
  readonly receiver: string
}

export interface SignatureDocument {
  readonly id: string
  readonly clientId: string
  readonly externalId: string
  title: string
  description: string
  readonly fileName: string
  /** The document as requested, with later changes applied; does not contain the file's bytes. */
  requested: JsonObject
  content: Content | undefined
  signers: readonly Signer[]
  attachments: readonly Attachment[]
  /** Notices to signers, oldest first; above a limit, the oldest are dropped. */
  sentNotices: readonly SentNotice[]
  tags: readonly string[]
  /** ISO 8601, by the sandbox's clock. */
  readonly created: string
  deadline: string
  lastUpdated: string
  signedDate: string | undefined
  status: DocumentStatus
  completedPackages: FileFormat[]
  /** Cancels the deadline. */
  stopExpiry: () => void
  /** Whether the document's files were deleted, some time after the document ended. */
  isDeleted: boolean
  /** Cancels the scheduled deletion of the document's files. */
  stopDeletion: () => void
  /** Cancels the next reminder. */
  stopReminders: () => void
}

export interface SignatureState {
  readonly documents: BoundedMap<SignatureDocument>
  /** Documents by client and external id, which are joined by a line break. */
  readonly byExternalId: Map<string, SignatureDocument>
  readonly bySigner: Map<string, { readonly document: SignatureDocument; readonly signer: Signer }>
  /** Key for the tokens in signers' links. */
  readonly key: Buffer
}

const MAX_DOCUMENTS = 20_000

export function createSignatureState(): SignatureState {
  const byExternalId: SignatureState['byExternalId'] = new Map()
  const bySigner: SignatureState['bySigner'] = new Map()
  const forget = (document: SignatureDocument) => {
    document.stopExpiry()
    document.stopReminders()
    document.stopDeletion()
    document.content?.remove()
    for (const { content } of document.attachments) content.remove()
    byExternalId.delete(externalKey(document.clientId, document.externalId))
    for (const { token } of document.signers) bySigner.delete(token)
  }
  return { documents: new BoundedMap(MAX_DOCUMENTS, forget), byExternalId, bySigner, key: randomBytes(48) }
}

export function externalKey(clientId: string, externalId: string): string {
  return `${clientId}\n${externalId}`
}
