/** The Node-RED and the editor that the test files of a process share, emptied for each test. */
import should from 'should'
import type { Browser } from 'playwright-core'
import { atEnd } from '../../support/at-end'
import { temporaryFolder } from '../../support/temporary-folder'
import {
  emptyEditor,
  launchBrowser,
  resetSandbox,
  startNodeRed,
  type EditorPage,
  type NodeRed,
} from '../../support/node-red/editor'

/** The Node-RED, the browser and the open editor for the tests of one `describe`. */
export interface Desk {
  readonly red: NodeRed
  readonly browser: Browser
  readonly page: EditorPage
}

let shared: Promise<NodeRed> | undefined
let editors: Promise<Browser> | undefined
let page: EditorPage | undefined

/**
 * Gives the tests of a `describe` a Node-RED with an empty sandbox, a browser, and an editor that is empty when a test
 * begins. Calls `opened` before each test. An error in the page fails the test.
 */
export function useEditor(opened: (desk: Desk) => void): void {
  let red: NodeRed
  let browser: Browser
  before(async () => {
    red = await (shared ??= start())
    await resetSandbox(red)
    browser = await launchBrowser()
  })
  beforeEach(async () => {
    page = await emptyEditor(page, await (editors ??= launchBrowser()), red)
    opened({ red, browser, page })
  })
  afterEach(async function () {
    const errors = page?.errors.splice(0)
    // What a failed test has left open must not make the next test fail.
    if (this.currentTest?.isFailed()) {
      await page?.context().close()
      page = undefined
    }
    should(errors).deepEqual([])
  })
  after(() => browser?.close())
}

async function start(): Promise<NodeRed> {
  // Examples write files, which must not end up in the project's folder.
  const red = await startNodeRed({ settings: { fileWorkingDirectory: temporaryFolder().path } })
  atEnd(() => red.kill())
  return red
}
