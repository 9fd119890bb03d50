/** One message handled by "deposit". */
import type { Call } from '../../lib/runtime/node/api-node'
import type { fields } from './deposit.fields'

export type DepositCall = Call<typeof fields>
