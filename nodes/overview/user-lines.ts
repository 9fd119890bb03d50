/** The list of users as text, a name and a password on each line: read by the form and by the node. */

export interface UserLine {
  readonly name: string
  /** As typed, or its hash. */
  readonly password: string
}

/** Why a line cannot be used: a key of the texts (`problems`). */
export interface UserProblem {
  readonly key: 'noPassword' | 'shortPassword' | 'userColon' | 'userTwice' | 'tooManyUsers'
  readonly line: number
  readonly name: string
}

/** What the form shows in place of a password that is stored. */
export const hidden = '••••••••'
const minLength = 8
const maxUsers = 200
const hashForm = /^scrypt\$\d{1,7}\$\d{1,2}\$\d{1,2}\$[\w-]{16,64}\$[\w-]{43,86}$/

export const isHash = (password: string): boolean => hashForm.test(password)

/** Everything of a line after its first word is the password, so it may hold blanks. */
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

/** Browsers and keyboards write the same letters in different ways. */
export function sameName(one: string, other: string): boolean {
  return one.normalize('NFC') === other.normalize('NFC')
}

export function writeUserLines(users: readonly UserLine[]): string {
  return users.map(({ name, password }) => `${name} ${password}`).join('\n')
}

/** The list as the form shows it: no password, and no hash. */
export function hidePasswords(users: readonly Pick<UserLine, 'name'>[]): string {
  return writeUserLines(users.map(({ name }) => ({ name, password: hidden })))
}
