/** The one sandbox of a process: started on first use, kept over redeploys. */
import { startSandbox, type Sandbox } from './index'

/** Survives a second copy of this module, which Node-RED may load. */
const KEY = Symbol.for('@eid-flows/node-red-eid/sandbox')

/**
 * The shared sandbox, on the port in `EID_SANDBOX_PORT` when that is set. Concurrent callers get the same one.
 * It never keeps the process alive. Rejects when it cannot listen; the next caller then tries again.
 */
export function sharedSandbox(): Promise<Sandbox> {
  const home = globalThis as { [KEY]?: Promise<Sandbox> }
  home[KEY] ??= start().catch((error: unknown) => {
    delete home[KEY]
    throw error
  })
  return home[KEY]
}

async function start(): Promise<Sandbox> {
  const port = process.env.EID_SANDBOX_PORT
  const sandbox = await startSandbox(port ? { port: Number(port) } : {})
  sandbox.unref()
  return sandbox
}
