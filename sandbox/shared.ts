/** The single sandbox of a process: started on first use, kept across deploys. */
import { startSandbox, type Sandbox } from './start'

/** A global key, so that the sandbox is shared even if Node-RED loads a second copy of this module. */
const KEY = Symbol.for('@eid-flows/node-red-eid/sandbox')

/**
 * The shared sandbox; concurrent callers get the same sandbox. `EID_SANDBOX_PORT`, `EID_SANDBOX_HOST` and
 * `EID_SANDBOX_URL` (the address in links) set its address, as containers need. The sandbox never keeps the process
 * alive. Rejects if it can't listen; the next caller then tries again.
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
  const { EID_SANDBOX_PORT: port, EID_SANDBOX_HOST: host, EID_SANDBOX_URL: publicUrl } = process.env
  const sandbox = await startSandbox({
    ...(port && { port: Number(port) }),
    ...(host && { host }),
    ...(publicUrl && { publicUrl }),
  })
  sandbox.unref()
  return sandbox
}
