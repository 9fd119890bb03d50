/** The sandbox's data about shares. */
import type { JsonObject } from '../server/json'
import { BoundedMap } from '../state/bounded'

export interface StoredFile {
  readonly path: string
  readonly name: string
  readonly type: string
  readonly size: number
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string
}

export interface Content {
  readonly id: string
  readonly name: string
  readonly type: string
  file: StoredFile | undefined
}

export interface Recipient {
  readonly id: string
  /** Identifies this recipient's page: the last part of the page's address. */
  readonly token: string
  /** The recipient as requested, with later changes applied. */
  requested: JsonObject
  firstName: string
  lastName: string
  email: string
  mobile: JsonObject
  externalId: string
  /** Milliseconds since 1970. */
  expires: number
  expiresText: string
  authentication: readonly JsonObject[]
  notification: JsonObject | undefined
  oneTimeLogin: boolean
  /** The content that this recipient may see. */
  content: readonly Content[]
  /** When each item was first downloaded, by the item's id. */
  readonly opened: Map<string, string>
  /** When each login session ends, in milliseconds since 1970, by the session's id. */
  readonly logins: Map<string, number>
  loggedIn: boolean
}

export interface Share {
  readonly id: string
  readonly created: string
  information: JsonObject
  readonly content: readonly Content[]
  recipients: readonly Recipient[]
  contactDetails: JsonObject | undefined
  readonly senders: readonly JsonObject[]
  readonly tags: readonly string[]
  /** Whether everything is uploaded and the recipients were notified. */
  announced: boolean
  expired: boolean
  deleted: boolean
  /** Functions that cancel what is scheduled for this share. */
  readonly plans: (() => void)[]
}

/** Whether the share has ended. */
export function isOver({ deleted, expired }: Share): boolean {
  return deleted || expired
}

/** The recipient for whom a page is shown, and the share that the page is about. */
export interface RecipientContext {
  readonly share: Share
  readonly recipient: Recipient
}

export interface ShareState {
  readonly shares: BoundedMap<Share>
  /** The pages of the recipients, by each recipient's `token`. */
  readonly pages: BoundedMap<RecipientContext>
}

const MAX_SHARES = 10_000
const MAX_PAGES = 50_000

export function createShareState(): ShareState {
  const unplan = (share: Share) => share.plans.forEach((takeBack) => takeBack())
  return { shares: new BoundedMap(MAX_SHARES, unplan), pages: new BoundedMap(MAX_PAGES) }
}
