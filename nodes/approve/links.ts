/** The addresses of approvers: each names its approval and row, and is sealed with a key of this installation. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { configError } from '../../lib/api/errors/errors'
import { isPlainObject } from '../../lib/common/plain-object'
import type { Store } from '../../lib/store/store'

/** The key that marks ids and seals links, made once for each installation and kept with its data. */
export async function installationKey(store: Pick<Store, 'add' | 'get'>): Promise<Buffer> {
  await store.add('key', { body: { key: randomBytes(32).toString('base64') } })
  const { body } = (await store.get('key')) ?? {}
  const found = isPlainObject(body) && typeof body.key === 'string' ? Buffer.from(body.key, 'base64') : undefined
  if (found?.length !== 32) throw configError('approvalKey')
  return found
}

/** An approval and the row of the approver whose address it is. */
export interface Link {
  readonly approval: string
  readonly row: string
}

export function tokenOf(key: Buffer, { approval, row }: Link): string {
  return `${approval}.${Buffer.from(row).toString('base64url')}.${sealOf(key, approval, row)}`
}

/** Reads the last part of an address; undefined unless this installation has made it. */
export function linkIn(key: Buffer, token: string): Link | undefined {
  const [approval = '', name = '', seal = '', ...more] = token.split('.')
  const row = Buffer.from(name, 'base64url').toString()
  const [expected, given] = [sealOf(key, approval, row), seal].map((one) => Buffer.from(one))
  if (more.length > 0 || !expected || expected.length !== given?.length) return undefined
  return timingSafeEqual(expected, given) ? { approval, row } : undefined
}

const sealOf = (key: Buffer, approval: string, row: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify(['link', approval, row]))
    .digest('base64url')

/** A text that no one can guess. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** A secret as it is stored, so that reading the store does not give it. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Identifies a key without giving it. */
export const keyIdOf = (key: Buffer): string => createHmac('sha256', key).update('id').digest('hex').slice(0, 16)
