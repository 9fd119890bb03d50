/**
 * Reads every list and file to sign in a folder as the nodes do, and says what was read, what was refused and why: `npm run
 * sweep -- FOLDER`. For the files of a person whose list is not read as expected.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { english } from '../../lib/api/errors/texts'
import type { FileProblem } from '../../lib/runtime/files/file-problem'
import { readRowList } from '../../lib/runtime/files/row-list'
import { fieldsOfFile } from '../../lib/runtime/files/word-file'

const toSign = ['.docx', '.doc', '.rtf', '.odt', '.ott', '.pdf', '.xml']
const lists = ['.xlsx', '.xlsm', '.xlsb', '.xls', '.ods', '.csv', '.tsv', '.txt']

async function main(folder = ''): Promise<void> {
  const files = folder === '' ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const counts = new Map<string, number>()
  for (const name of files) {
    const path = join(folder, name)
    if (!statSync(path).isFile()) continue
    const outcome = await outcomeOf(path)
    if (!outcome) continue
    const kind = `${extname(name).toLowerCase()} ${typeof outcome === 'string' ? 'read' : `refused: ${outcome.key}`}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    console.log(`${relative(folder, path)}: ${typeof outcome === 'string' ? outcome : sentenceOf(outcome)}`)
  }
  console.log(['', ...[...counts].sort().map(([kind, count]) => `${count} ${kind}`)].join('\n'))
  process.exit(counts.size > 0 ? 0 : 1)
}

/** What was read, or the problem; undefined for a file that is neither a list nor a file to sign. */
async function outcomeOf(path: string): Promise<string | FileProblem | undefined> {
  const ending = extname(path).toLowerCase()
  if (lists.includes(ending)) {
    const list = await readRowList(readFileSync(path))
    return 'key' in list ? list : `read ${list.rows.length} rows with ${list.columns.join(' | ')}`
  }
  if (!toSign.includes(ending)) return undefined
  const fields = await fieldsOfFile(readFileSync(path))
  return 'key' in fields ? fields : `read ${fields.length} fields: ${fields.map(({ name }) => name).join(' | ')}`
}

const sentenceOf = ({ key, params }: FileProblem) =>
  `refused: ${english(`problems.${key}`, { path: 'The file', ...params })}`

void main(process.argv[2])
