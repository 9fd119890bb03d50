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
  /** In the time zone of Node-RED. */
  at: { kind: 'text', initial: '08:00', rule: 'timeOfDay', when: { digest: ['daily'] } },
  /** `auto`: the language that Node-RED runs in. */
  language: { kind: 'choice', initial: 'auto', choices: ['auto', 'en', 'nb'] },
  /** Begins the links in messages; empty: as Node-RED's `uiHost` says, or no links. */
  editorUrl: { kind: 'text', initial: '', rule: 'url' },
  /** Several Node-REDs keep together what was sent; empty: this one alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
