/** An empty change would be a success without effect. */
import type { Call } from '../node/api-node'
import type { PlainObject } from '../../common/plain-object'

/** Refuses an empty change; if it has invalid values, those are reported instead. */
export function refuseEmptyChange({ check }: Pick<Call<never>, 'check'>, body: PlainObject): void {
  // A value that could not be read makes the change look empty: its own problem comes first.
  check([])
  check(Object.keys(body).length > 0 ? [] : [{ path: 'body', key: 'nothingToChange' }])
}
