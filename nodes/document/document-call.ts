/** One message handled by "document". */
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './document.fields'

export type DocumentCall = Call<typeof fields>
