/** One message handled by "share". */
import type { Call } from '../../lib/runtime/node/api-node'
import type { fields } from './share.fields'

export type ShareCall = Call<typeof fields>
