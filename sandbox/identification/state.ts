/** The sandbox's data about identification: its sessions. */
import { Sessions } from './session-index'

export interface IdentificationState {
  readonly sessions: Sessions
}

export function createIdentificationState(): IdentificationState {
  return { sessions: new Sessions() }
}
