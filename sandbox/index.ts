/** The simulated service: started on its own, or once per process. */
export { sharedSandbox } from './shared'
export { startSandbox, type Sandbox, type SandboxOptions } from './start'
export type { World } from './world'
