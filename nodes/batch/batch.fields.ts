/** Settings of "batch". */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  /** A list of rows, the bytes of a spreadsheet file, or the path of such a file. */
  rows: {
    kind: 'any',
    initial: 'payload',
    type: 'msg',
    types: ['msg', 'path', 'flow', 'global', 'env', 'json', 'jsonata'],
    required: true,
    several: true,
    json: 'array',
  },
  /** Name of the sheet of a spreadsheet; if empty, the first visible sheet is read. */
  sheet: { kind: 'text', initial: '' },
  /** The language in which later nodes write numbers and dates of a spreadsheet; `auto` means Node-RED's own. */
  language: { kind: 'choice', initial: 'auto', choices: ['auto', 'en', 'nb', 'da', 'sv', 'fi'] },
  /** The name under which the list is remembered; if empty, the name of its file, or one name for all other lists. */
  listName: { kind: 'string', initial: '', type: 'tpl', template: true },
  /** The row's key, evaluated with the row in `msg.payload`; if empty, rows are recognized by their content. */
  key: { kind: 'string', initial: '', type: 'msg', types: ['msg', 'jsonata'], template: true },
  /** Rows per `paceUnit`; with 0 or an empty setting, rows are sent as fast as earlier ones come back. */
  pace: { kind: 'count', initial: '' },
  paceUnit: { kind: 'choice', initial: 'minute', choices: ['second', 'minute', 'hour'] },
  /** Maximum number of rows that are in flight at once. */
  parallel: { kind: 'count', initial: 8 },
  /** Maximum number of attempts per row. A row is tried again only if its earlier attempts certainly had no effect. */
  attempts: { kind: 'count', initial: 2 },
  /** The store in which several Node-REDs share the list; if empty, this Node-RED works on it alone. */
  shared: { kind: 'config', initial: '', config: 'eid-store' },
} as const satisfies Fields
