/** The Chromium of a test process: started once; each caller has its own pages. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { atEnd } from '../../support/at-end'
import { root } from '../../support/house'

let started: Promise<Browser> | undefined

/**
 * The Chromium from a package, or the Chromium to which `CHROMIUM_PATH` leads. Each caller sees and closes only the
 * pages that it has opened.
 */
export async function launchBrowser(): Promise<Browser> {
  const browser = await (started ??= start())
  const own = new Set<BrowserContext>()
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    own.add(context)
    context.on('close', () => own.delete(context))
    return context
  }
  return Object.assign(Object.create(browser) as Browser, {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    contexts: () => [...own],
    close: async () => void (await Promise.all([...own].map((context) => context.close()))),
  } satisfies Partial<Browser>)
}

async function packagedChromium(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts/chromium.mjs')])
  return stdout.trim()
}

async function start(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await packagedChromium())
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  atEnd(() => browser.close())
  return browser
}
