/** One message handled by "identification session". */
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './identification-session.fields'

export type SessionCall = Call<typeof fields>
