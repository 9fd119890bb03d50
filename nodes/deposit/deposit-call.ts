/** One message handled by "deposit". */
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './deposit.fields'

export type DepositCall = Call<typeof fields>
