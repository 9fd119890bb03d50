/** The people who may approve: rows of the form, with the ids from the credentials, or invented ids in the sandbox. */
import { createHash } from 'node:crypto'
import { configError } from '../../lib/api/errors/errors'
import { isPlainObject } from '../../lib/common/plain-object'
import { textOf } from '../../lib/runtime/values/read-text'
import { splitList } from '../../lib/common/split-list'
import { credentialOf } from './approve.fields'
import { compare, isComparableAt, marksOf, type Marks, type Person } from './identity'
import { providersOf } from './providers'

/** A row of the form. */
interface ApproverRow {
  readonly id: string
  /** Number of the credential with the person's id. */
  readonly slot: string
  readonly name: string
  readonly email: string
  readonly by: 'nin' | 'providerId'
  readonly provider: string
}

export interface Approver extends ApproverRow {
  /** The ids by which the person is matched. Never stored, shown or logged. */
  readonly person: Person
  readonly marks: Marks
  /** The providers with which this person may identify. */
  readonly providers: readonly string[]
}

/** An invented person of the sandbox, so that its page can offer the approvers. */
interface SandboxPerson {
  readonly name: string
  readonly nin: string
  readonly providerId: string
}

interface ApproversOptions {
  readonly rows: unknown
  /** The providers of the setting `identityProviders`, as a text. */
  readonly offered: unknown
  /** The credentials of the node. */
  readonly ids: Readonly<Record<string, unknown>> | undefined
  /** True with the sandbox: the ids are invented, and those of the credentials are not used. */
  readonly invents: boolean
  readonly nodeId: string
  /** The key of this installation. */
  readonly key: Buffer
}

/** Reads the people who may approve. Throws EID_CONFIG, with the name of the row, if one can't be recognized. */
export function approversIn({ rows, offered, ids, invents, nodeId, key }: ApproversOptions): Approver[] {
  const found = rowsIn(rows).map((row) => {
    if (row.name === '') throw configError('approverWithoutName')
    const providers = providersOf(row.by, row.provider, splitList(offered) ?? [])
    if (providers.length === 0) throw configError('approverProvider', { name: row.name })
    const id = invents ? inventedId(nodeId, row) : storedId(ids, row)
    if (id.replace(row.by === 'nin' ? /\D/g : /\s/g, '') === '')
      throw configError('approverWithoutId', { name: row.name })
    const person = {
      provider: row.provider,
      providerId: row.by === 'providerId' ? id : '',
      nin: row.by === 'nin' ? id : '',
    }
    return { ...row, person, marks: marksOf(key, person), providers }
  })
  if (found.length === 0) throw configError('noApprovers')
  found.forEach((one, at) => {
    const twin = found.slice(0, at).find((other) => compare(one.marks, other.marks) === 'same' || one.id === other.id)
    if (twin) throw configError('sameApprover', { name: twin.name, other: one.name })
  })
  return found
}

/** The id of a row: its own credential or, if the row has none, its entry in `approverIds`. */
function storedId(ids: ApproversOptions['ids'] = {}, { id, slot }: ApproverRow): string {
  const own = textOf(ids[credentialOf(slot)]).trim()
  if (own !== '') return own
  try {
    const all: unknown = JSON.parse(textOf(ids.approverIds))
    return isPlainObject(all) ? textOf(all[id]).trim() : ''
  } catch {
    return ''
  }
}

function rowsIn(rows: unknown): ApproverRow[] {
  const list = Array.isArray(rows) ? (rows as unknown[]).filter(isPlainObject) : []
  return list.map((row) => ({
    id: textOf(row.id),
    slot: textOf(row.slot),
    name: textOf(row.name).trim(),
    email: textOf(row.email).trim(),
    by: row.by === 'providerId' ? 'providerId' : 'nin',
    provider: textOf(row.provider).trim(),
  }))
}

/** An id for the sandbox: the same for the same row, and never a real one. */
function inventedId(nodeId: string, { id, by }: ApproverRow): string {
  const digest = createHash('sha256').update(`${nodeId}/${id}`).digest('hex')
  // No national id has the month 00.
  return by === 'nin'
    ? `0000${BigInt(`0x${digest.slice(0, 12)}`)
        .toString()
        .slice(-7)
        .padStart(7, '0')}`
    : digest.slice(0, 16)
}

/** The people whom the sandbox's page offers. */
export function sandboxPeople(approvers: readonly Approver[]): SandboxPerson[] {
  return approvers.map(({ name, person: { nin, providerId } }) => ({ name, nin, providerId }))
}

/** The row of the person who has identified; undefined for a stranger. */
export function approverOf(approvers: readonly Approver[], marks: Marks): Approver | undefined {
  return approvers.find((one) => compare(one.marks, marks) === 'same')
}

/** The providers with which it can be told whether this approver is one of `others`. */
export function comparableProviders({ by, providers }: Approver, others: readonly Marks[]): string[] {
  return providers.filter((one) => others.every((marks) => isComparableAt(one, by === 'nin', marks)))
}
