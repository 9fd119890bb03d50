/** Settings of "alerts". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  /** Empty: all clients. */
  client: { kind: 'config', initial: '', config: 'eid-client' },
  /** Separated by commas; empty: all but `failed-caught`. */
  kinds: { kind: 'text', initial: '' },
  /** Counted from Monday to Friday. */
  overdueDays: { kind: 'count', initial: 3 },
  digest: { kind: 'choice', initial: 'now', choices: ['now', 'daily'] },
  /** In Node-RED's time zone. */
  at: { kind: 'text', initial: '08:00', rule: 'timeOfDay', when: { digest: ['daily'] } },
  /** `auto`: Node-RED's own language. */
  language: { kind: 'choice', initial: 'auto', choices: ['auto', 'en', 'nb'] },
  /** The start of the links in messages; empty: from Node-RED's `uiHost`, or no links. */
  editorUrl: { kind: 'text', initial: '', rule: 'url' },
  /** Lets several Node-REDs share the record of sent alerts; empty: this one alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
