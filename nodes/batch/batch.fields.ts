/** Settings of "batch". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  /** A list, the bytes of a spreadsheet file, or the path of one. */
  rows: {
    kind: 'any',
    initial: 'payload',
    type: 'msg',
    types: ['msg', 'path', 'flow', 'global', 'env', 'json', 'jsonata'],
    required: true,
    several: true,
    json: 'array',
  },
  /** Name of the sheet of an .xlsx file; empty: the first one. */
  sheet: { kind: 'text', initial: '' },
  /** The row's key, evaluated with the row in `msg.payload`; empty: its number. */
  key: { kind: 'string', initial: '', type: 'msg', types: ['msg', 'jsonata'], template: true },
  /** Rows per `paceUnit`; 0 and empty: as fast as they come back. */
  pace: { kind: 'count', initial: '' },
  paceUnit: { kind: 'choice', initial: 'minute', choices: ['second', 'minute', 'hour'] },
  /** Rows that are in flight at once. */
  parallel: { kind: 'count', initial: 8 },
  /** How often to send a row that certainly had no effect. */
  attempts: { kind: 'count', initial: 2 },
  /** Name of a context store of Node-RED; empty is its default one. */
  store: { kind: 'text', initial: '', contextStore: true },
  /** Lets several Node-REDs share the list; empty: this one alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
