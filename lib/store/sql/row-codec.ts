/** Converts items to rows of the table and back. The contents are encrypted if the user has set a key. */
import { itemName } from '../item-name'
import type { Changes, Claim, Item, Listed, NewItem } from '../store'
import type { Cipher } from './cipher'
import type { RowValues } from './together'

/** What is stored with an item besides its body, so that lists need not read the body. */
interface About {
  readonly id: string
  readonly summary?: unknown
  readonly subject?: string
}

export type Row = Record<string, unknown>

/** Namespace, node and kind: the owner of the rows. */
export type Scope = readonly [namespace: string, node: string, kind: string]

export interface RowCodec {
  /** The values for `put` and `add`, in the order of the parameters in SQL. */
  newRow(id: string, item: NewItem): unknown[]
  /** The values for `reschedule` and `remain`, in the order of the parameters in SQL. */
  changesOf(claim: Claim, changes: Changes): RowValues
  encryptAbout(about: About): string
  /** The stored form of a body, for the item with this key. */
  encryptBody(body: unknown, key: string): string
  /** Throws if the row can't be read. */
  listedOf(row: Row): Listed
  itemOf(row: Row): Item
}

export function createRowCodec(cipher: Cipher, scope: Scope, version: number): RowCodec {
  const aadOf = (key: string) => [...scope, key].join('\n')
  const encryptAbout = (about: About) => cipher.encrypt(JSON.stringify(about), aadOf(itemName(about.id)))
  const encryptBody = (body: unknown, key: string) =>
    body === undefined ? '' : cipher.encrypt(JSON.stringify(body), `${aadOf(key)}\nbody`)
  const listedOf = (row: Row): Listed => {
    const about = cipher.decrypt(String(row.about), aadOf(String(row.key)))
    const { id, summary, subject = '' } = JSON.parse(about) as About
    const position = Number(row.seq)
    const listed = { id, summary, subject, since: Number(row.since), deliveryCount: Number(row.handed), position }
    return row.due === null ? listed : { ...listed, due: Number(row.due) }
  }
  return {
    encryptAbout,
    encryptBody,
    listedOf,
    newRow(id, { body, summary, subject, dueMs, keepMs }) {
      const key = itemName(id)
      return [
        key,
        version,
        cipher.id,
        encryptAbout({ id, summary, subject }),
        encryptBody(body, key),
        subject === undefined ? null : itemName(subject),
        dueMs ?? null,
        keepMs ?? null,
      ]
    },
    changesOf(claim, changes) {
      const key = itemName(claim.id)
      const { summary = claim.summary, subject = claim.subject, keepMs = null } = changes
      const body = changes.body === undefined ? null : encryptBody(changes.body, key)
      return [
        ...([key, claim.owner, encryptAbout({ id: claim.id, summary, subject })] as const),
        subject === '' ? null : itemName(subject),
        keepMs,
        body === null ? null : version,
        body,
      ]
    },
    itemOf(row) {
      const text = String(row.body)
      const body =
        text === '' ? undefined : (JSON.parse(cipher.decrypt(text, `${aadOf(String(row.key))}\nbody`)) as unknown)
      return { ...listedOf(row), body, version: Number(row.version), ageMs: Number(row.age) }
    },
  }
}
