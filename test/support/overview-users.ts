/**
 * People who may open the page of "overview". Their passwords are kept as hashes that are quick to check: those that the
 * node makes itself cost a quarter of a second each.
 */
import { scryptSync } from 'node:crypto'

const N = 16

function lineOf(name: string, password: string): string {
  const salt = Buffer.alloc(16, name)
  const key = scryptSync(password, salt, 32, { N, r: 1, p: 1 })
  return `${name} ${['scrypt', N, 1, 1, salt.toString('base64url'), key.toString('base64url')].join('$')}`
}

/** As they are written into the form. */
export const overviewUsers = [lineOf('kari', 'correct horse'), lineOf('ola', 'battery staple')].join('\n')

/** The header with which a browser logs in. */
export const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

export const kari = basic('kari', 'correct horse')
export const ola = basic('ola', 'battery staple')
