/**
 * `npm run bench`: measures every subject against its alternative, prints the tables and writes bench/results.json.
 */
import { benchBatch } from './batch'
import { benchList, benchWord } from './files'
import { benchLists } from './lists'
import { benchLoading } from './loading'
import { benchMessages } from './messages'
import { benchMillion } from './million'
import { benchPdf } from './pdf'
import { benchPending } from './pending'
import { benchSeveral } from './several'
import { benchShown } from './shown'
import { benchSize } from './size'
import { benchTokens } from './tokens'
import { print, save, type Subject } from './report'
import { isWorthKeeping, wanted } from './rounds'
import { benchUploads } from './uploads'
import { benchWaits } from './waits'

const subjects: Readonly<Record<string, () => Promise<Subject[]>>> = {
  messages: benchMessages,
  tokens: benchTokens,
  uploads: benchUploads,
  waits: benchWaits,
  pending: benchPending,
  batch: benchBatch,
  several: benchSeveral,
  million: benchMillion,
  shown: benchShown,
  lists: benchLists,
  word: benchWord,
  list: benchList,
  pdf: benchPdf,
  loading: benchLoading,
  size: benchSize,
}

/** Measures all subjects, or those named on the command line. */
async function main(): Promise<void> {
  const unknown = wanted.filter((name) => !(name in subjects))
  if (unknown.length > 0)
    throw new Error(`no subject ${unknown.join(', ')}; there are ${Object.keys(subjects).join(', ')}`)
  for (const [name, bench] of Object.entries(subjects)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    console.log(`\nMeasuring ${name} …`)
    const start = performance.now()
    const tables = await bench()
    tables.forEach(print)
    if (isWorthKeeping) save(name, tables, (performance.now() - start) / 1000)
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
