/** One message handled by "document". */
import type { Call } from '../../lib/runtime/node/api-node'
import type { fields } from './document.fields'

export type DocumentCall = Call<typeof fields>
