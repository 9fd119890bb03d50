/** One message on its way through "deposit". */
import type { Call } from '../../lib/runtime/node/api-node'
import type { fields } from './deposit.fields'

export type DepositCall = Call<typeof fields>
