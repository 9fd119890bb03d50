/** One message handled by "share". */
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './share.fields'

export type ShareCall = Call<typeof fields>
