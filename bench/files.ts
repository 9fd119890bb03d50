/**
 * Measures how many Word files are filled in a second, and the time and memory for reading a long list from a
 * spreadsheet.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldsOfWord, fillWord } from '../lib/runtime/files/word-file'
import { listIn } from '../lib/runtime/files/list-reading'
import { readRowList } from '../lib/runtime/files/row-list'
import { wordDocument } from '../test/support/files/word-document'
import { workbook } from '../test/support/files/workbook'
import { watchTurns } from './batch'
import { inChild, takeTurns, type Case, type Figures } from './child'
import { livingMemory, measure } from './memory'
import type { Subject } from './report'
import { roundsOr } from './rounds'

const rounds = roundsOr(3)
const documents = 400
const rows = 20_000

export const cases: Readonly<Record<string, Case>> = {
  word,
  list: ({ file = '' }) => list(file),
  reading: ({ file = '' }) => reading(file),
}

export async function benchWord(): Promise<Subject[]> {
  const { ours } = await takeTurns(rounds, { ours: () => inChild('files', 'word', {}) })
  const perSecond = ours.perSecond ?? NaN
  return [
    {
      subject: 'a contract of two pages and ten fields, filled from Word',
      alternative: '',
      rows: [{ what: 'files', ours: perSecond, unit: '/s', aim: { atLeast: 200, of: 'ours' } }],
    },
  ]
}

export async function benchList(): Promise<Subject[]> {
  const folder = mkdtempSync(join(tmpdir(), 'eid-bench-'))
  try {
    const file = join(folder, 'list.xlsx')
    writeFileSync(file, workbook({ list: linesOfList() }))
    const { ours, apart } = await takeTurns(rounds, {
      ours: () => inChild('files', 'list', { file }),
      apart: () => inChild('files', 'reading', { file }),
    })
    return [
      {
        subject: `a list of ${rows.toLocaleString('en')} rows and six columns from .xlsx`,
        alternative: '',
        rows: [
          { what: 'peak memory growth of Node-RED', ours: ours.growth ?? NaN, unit: 'MiB' },
          { what: 'peak memory growth of the process that reads', ours: apart.growth ?? NaN, unit: 'MiB' },
          {
            what: 'both together',
            ours: (ours.growth ?? NaN) + (apart.growth ?? NaN),
            unit: 'MiB',
            aim: { atMost: 128, of: 'ours' },
          },
          { what: 'longest turn of Node-RED', ours: ours.turn ?? NaN, unit: 'ms', aim: { atMost: 50, of: 'ours' } },
          { what: 'the list itself', ours: ours.living ?? NaN, unit: 'MiB' },
          { what: 'time', ours: ours.seconds ?? NaN, unit: 's' },
        ],
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function linesOfList(): Parameters<typeof workbook>[0][string] {
  const people = Array.from({ length: rows }, (_none, n) => [
    `key-${n}`,
    `Ola Nordmann ${n}`,
    `ola-${n}@example.com`,
    10_000 + n,
    new Date(Date.UTC(2031, 0, 1 + (n % 365))),
    { padded: n % 9999, digits: 4 } as const,
  ])
  return [['key', 'name', 'email', 'rent', 'from', 'code'], ...people]
}

async function word(): Promise<Figures> {
  const names = Array.from({ length: 10 }, (_none, n) => `field${n}`)
  const clauses = Array.from({ length: 60 }, (_none, n) => `${n + 1}. The tenant pays the rent in advance, each month.`)
  const bytes = wordDocument([...clauses, ...names.map((name) => [`Here stands {${name}`, '}, and more.'])])
  const fields = await fieldsOfWord(bytes)
  if ('key' in fields) throw new Error(fields.key)
  const fill = async (n: number) => {
    const filled = await fillWord(bytes, fields, Object.fromEntries(names.map((name) => [name, n])), new Set())
    if (!('bytes' in filled)) throw new Error('not filled')
  }
  // The code is compiled before the measurement starts.
  for (let n = 0; n < 50; n++) await fill(n)
  const start = performance.now()
  for (let n = 0; n < documents; n++) await fill(n)
  return { perSecond: documents / ((performance.now() - start) / 1000) }
}

async function list(file: string): Promise<Figures> {
  // Even a short list starts the process that reads, before the measurement starts.
  await readRowList(workbook({ list: [['key'], ['one']] }))
  const bytes = readFileSync(file)
  const before = livingMemory()
  const longestTurn = watchTurns()
  const { result, seconds, growth } = await measure(() => readRowList(bytes))
  const turn = longestTurn()
  const living = livingMemory() - before
  if ('key' in result || result.rows.length !== rows) throw new Error('the list is not what it was')
  return { seconds, growth, living, turn }
}

/** What the process does that reads the list. */
async function reading(file: string): Promise<Figures> {
  const job = (bytes: Buffer) => ({ what: 'rows', bytes, sheet: '', language: 'nb' }) as const
  await listIn(job(workbook({ list: [['key'], ['one']] })), () => undefined)
  const bytes = readFileSync(file)
  const { growth } = await measure(() => listIn(job(bytes), () => undefined))
  return { growth }
}
