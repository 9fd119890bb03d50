/**
 * Looks for secrets and personal data in everything that a Node-RED wrote: log, statuses, errors, contexts, flow file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { personal } from './messages'
import { hookSecret } from './flow'
import { clientSecret } from './service'

/** The text of every file below the folder by its path. Links, such as the one to the package, are left out. */
export function writtenIn(folder: string): Map<string, string> {
  return new Map(filesIn(folder).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
}

/**
 * Lists one folder at a time, because some versions of Node.js follow links, even in circles, when they list everything
 * below a folder.
 */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() ? [path] : []
  })
}

/** Where a secret, a token or personal data was found, with some of the text around it. */
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
