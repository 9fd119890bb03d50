/** Settings of "alerts". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  /** If empty, the alerts cover all clients. */
  client: { kind: 'config', initial: '', config: 'eid-client' },
  /** The wanted kinds, separated by commas; if empty, all kinds except `failed-caught`. */
  kinds: { kind: 'text', initial: '' },
  /** Working days (Monday to Friday) after which a pending wait is overdue. */
  overdueDays: { kind: 'count', initial: 3 },
  digest: { kind: 'choice', initial: 'now', choices: ['now', 'daily'] },
  /** The time of day for the daily digest, in Node-RED's time zone. */
  at: { kind: 'text', initial: '08:00', rule: 'timeOfDay', when: { digest: ['daily'] } },
  /** The language of the messages; `auto` means Node-RED's own language. */
  language: { kind: 'choice', initial: 'auto', choices: ['auto', 'en', 'nb'] },
  /**
   * The editor's address, with which links in messages start. If empty, it is derived from Node-RED's `uiHost`; if that
   * is not set either, messages contain no links.
   */
  editorUrl: { kind: 'text', initial: '', rule: 'url' },
  /**
   * The store in which several Node-REDs share the record of sent alerts; if empty, this Node-RED keeps its own record.
   */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
