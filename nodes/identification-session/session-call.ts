/** One message handled by "identification session". */
import type { Call } from '../../lib/runtime/node/api-node'
import type { fields } from './identification-session.fields'

export type SessionCall = Call<typeof fields>
