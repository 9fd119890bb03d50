/**
 * `node scripts/chromium.mjs` prints the path of the Chromium that is in a package, and unpacks Chromium first if that
 * has not been done yet.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'))
const cache = join(root, '.cache')
const folder = join(cache, `chromium-${version}`)
const path = join(folder, 'chromium')

if (!existsSync(path)) await unpack()
console.log(path)

/**
 * Unpacks Chromium. The package unpacks into the folder for temporary files. If Chromium is already in this folder, the
 * package uses it, even if it is incomplete. Since several processes may need Chromium at the same time, each unpacks
 * into a folder of its own, and the first one to finish moves its folder into place.
 */
async function unpack() {
  mkdirSync(cache, { recursive: true })
  const unready = mkdtempSync(`${folder}.`)
  process.env.TMPDIR = unready
  const { default: packaged } = await import('@sparticuz/chromium')
  await packaged.executablePath()
  try {
    renameSync(unready, folder)
  } catch (error) {
    rmSync(unready, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
}
