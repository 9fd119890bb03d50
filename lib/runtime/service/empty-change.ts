/** Refuses changes that would succeed without any effect. */
import type { Call } from '../node/message-call'
import type { PlainObject } from '../../common/plain-object'

/** Refuses an empty change. If the change has invalid values, these are reported instead. */
export function refuseEmptyChange({ check }: Pick<Call<never>, 'check'>, body: PlainObject): void {
  // An unreadable value makes the change look empty, so the problem of this value is reported first.
  check([])
  check(Object.keys(body).length > 0 ? [] : [{ path: 'body', key: 'nothingToChange' }])
}
