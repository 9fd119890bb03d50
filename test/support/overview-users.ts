/**
 * The users of the page of "overview". Their passwords are stored as hashes that are quick to check, because checking a
 * hash that the node makes takes a quarter of a second.
 */
import { scryptSync } from 'node:crypto'

const N = 16

function lineOf(name: string, password: string): string {
  const salt = Buffer.alloc(16, name)
  const key = scryptSync(password, salt, 32, { N, r: 1, p: 1 })
  return `${name} ${['scrypt', N, 1, 1, salt.toString('base64url'), key.toString('base64url')].join('$')}`
}

/** The users as they are typed into the form. */
export const overviewUsers = [lineOf('kari', 'correct horse'), lineOf('ola', 'battery staple')].join('\n')

/** The header with which a browser logs in. */
export const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

export const kari = basic('kari', 'correct horse')
export const ola = basic('ola', 'battery staple')
