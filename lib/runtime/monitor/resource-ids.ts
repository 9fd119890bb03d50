/** Finds the ids in an event and names them as the next node expects. */
import { isPlainObject } from '../../common/plain-object'

const idNames: Readonly<Record<string, string>> = {
  documentid: 'documentId',
  sessionid: 'sessionId',
  shareid: 'shareId',
  depositid: 'depositId',
}

/**
 * The ids in an event. The API families capitalize the names of their ids differently, and in events about shares, the
 * id is named `Id` (`docs/interface.md` 4.9).
 */
export function resourceIds(type: unknown, payload: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(isPlainObject(payload) ? payload : {})) {
    const small = name.toLowerCase()
    const property = small === 'id' && /^share_/.test(String(type)) ? 'shareId' : idNames[small]
    if (property !== undefined && typeof value === 'string') found[property] = value
  }
  return found
}
