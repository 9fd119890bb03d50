/**
 * Looks for secrets and personal data in everything that a Node-RED wrote: log, statuses, errors, contexts, flow file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { personal } from './messages'
import { hookSecret } from './flow'
import { clientSecret } from './service'

/** Every file below the folder that is no link to the package and not the collector, by its path. */
export function writtenIn(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}

/** Where a secret, a token or something personal stands, with a little of what is around it. */
export function findSecrets(folder: string, tokens: readonly string[]): string[] {
  const base64 = Buffer.from(personal.bytes).toString('base64').slice(0, 20)
  const basic = Buffer.from(`soak-client:${clientSecret}`).toString('base64')
  const needles = [...Object.values(personal), base64, basic, clientSecret, hookSecret, ...tokens]
  const found: string[] = []
  for (const [path, text] of writtenIn(folder)) {
    for (const needle of needles) {
      const index = text.indexOf(needle)
      if (index >= 0) found.push(`${path}: …${text.slice(Math.max(0, index - 120), index + needle.length + 40)}…`)
    }
  }
  return found
}
