/**
 * Reads and writes the list of users as text, with a name and a password on each line; used by the form and by the
 * node.
 */

export interface UserLine {
  readonly name: string
  /** The password as typed, or its hash. */
  readonly password: string
}

/** Why a line can't be used; `key` is a text key below `problems`. */
interface UserProblem {
  readonly key: 'noPassword' | 'shortPassword' | 'userColon' | 'userTwice' | 'tooManyUsers'
  readonly line: number
  readonly name: string
}

/** Shown in the form in place of a stored password. */
export const hidden = '••••••••'
const minLength = 8
const maxUsers = 200
const hashForm = /^scrypt\$\d{1,7}\$\d{1,2}\$\d{1,2}\$[\w-]{16,64}\$[\w-]{43,86}$/

export const isHash = (password: string): boolean => hashForm.test(password)

/** Reads the list. Everything after the first word of a line is the password, so a password may contain spaces. */
export function readUserLines(text: string): { users: UserLine[]; problems: UserProblem[] } {
  const users: UserLine[] = []
  const problems: UserProblem[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [, name = '', password = ''] = /^\s*(\S+)(?:\s+(.*?))?\s*$/.exec(line) ?? []
    const add = (key: UserProblem['key']) => void problems.push({ key, line: index + 1, name })
    if (name.includes(':')) add('userColon')
    if (users.some((one) => sameName(one.name, name))) add('userTwice')
    if (password === '') add('noPassword')
    else if (password.length < minLength) add('shortPassword')
    users.push({ name, password })
    if (users.length === maxUsers + 1) add('tooManyUsers')
  }
  return { users, problems }
}

/** Whether two names are the same, even if browsers or keyboards encode their letters differently. */
export function sameName(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC')
}

export function writeUserLines(users: readonly UserLine[]): string {
  return users.map(({ name, password }) => `${name} ${password}`).join('\n')
}

/** Returns the list as the form shows it, without passwords or hashes. */
export function hidePasswords(users: readonly Pick<UserLine, 'name'>[]): string {
  return writeUserLines(users.map(({ name }) => ({ name, password: hidden })))
}
