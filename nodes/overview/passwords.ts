/** Stores passwords as scrypt hashes, and compares them in constant time. */
import { createHash, randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { hosted, type HostOwner } from '../../lib/runtime/node-red/host'
import { hidden, isHash, sameName, writeUserLines, type UserLine } from './user-lines'

const cost = { N: 32_768, r: 8, p: 3 }
const keyLength = 32
/** Maximum memory for computing a stored hash: with a higher cost, a list of users could block the process. */
const maxBytes = 256 * 1024 * 1024

/** Hashes are computed one at a time, because each takes 32 MB and occupies a thread that files and DNS also need. */
const createQueue = () => ({ last: Promise.resolve() as Promise<unknown> })

function derive(
  RED: HostOwner,
  password: string,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
): Promise<Buffer> {
  const queue = hosted(RED, createQueue)
  const run = () =>
    new Promise<Buffer>((resolve, reject) => {
      const done = (error: Error | null, key: Buffer) => (error ? reject(error) : resolve(key))
      scrypt(password.normalize('NFC'), salt, length, { ...options, maxmem: maxBytes }, done)
    })
  const result = queue.last.then(run, run)
  queue.last = result.catch(() => undefined)
  return result
}

async function hashPassword(RED: HostOwner, password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(RED, password, salt, keyLength, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/**
 * Whether this is the password of a user on the list. If the stored password is not a hash, it is compared as it is.
 * Every check takes as long as computing one hash, even if the name is not on the list.
 */
export async function isPasswordOf(RED: HostOwner, stored: string | undefined, password: string): Promise<boolean> {
  if (stored === undefined || !isHash(stored)) {
    await derive(RED, password, randomBytes(16), keyLength, cost)
    return timingSafeEqual(digestOf(password), digestOf(stored ?? '')) && stored !== undefined
  }
  const [, N, r, p, salt = '', key = ''] = stored.split('$')
  const expected = Buffer.from(key, 'base64url')
  const options = { N: Number(N), r: Number(r), p: Number(p) }
  try {
    const found = await derive(RED, password, Buffer.from(salt, 'base64url'), expected.length, options)
    return timingSafeEqual(found, expected)
  } catch {
    return false // Parameters that scrypt rejects.
  }
}

/** Whether this is the password of `httpNodeAuth`, which Node-RED stores as a bcrypt hash or, formerly, as MD5. */
export async function isNodeRedPassword(stored: string, password: string): Promise<boolean> {
  if (stored.length === 32) {
    return timingSafeEqual(Buffer.from(createHash('md5').update(password).digest('hex')), Buffer.from(stored, 'latin1'))
  }
  const { default: bcrypt } = await import('bcryptjs')
  return bcrypt.compare(password, stored)
}

const digestOf = (password: string) => createHash('sha256').update(password.normalize('NFC')).digest()

/**
 * Returns the list with a hash for each password. `known` is the stored list: it contains the hashes of the users whose
 * passwords the form hides. A user without a password in either list is left out.
 */
export async function hashUsers(
  RED: HostOwner,
  users: readonly UserLine[],
  known: readonly UserLine[],
): Promise<string> {
  const hashed: UserLine[] = []
  for (const { name, password } of users) {
    const before = known.find((one) => sameName(one.name, name))?.password
    const wanted = password === hidden ? before : password
    if (wanted === undefined) continue
    hashed.push({ name, password: isHash(wanted) ? wanted : await hashPassword(RED, wanted) })
  }
  return writeUserLines(hashed)
}
