/** Prints one table per subject, and writes the figures to bench/results.json. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

/**
 * One line of a table: our figure, the figure of the alternative, and the aim for our figure or for the ratio of both.
 */
export interface Row {
  readonly what: string
  readonly ours: number
  readonly other?: number
  readonly unit: string
  readonly aim?: { readonly atLeast?: number; readonly atMost?: number; readonly of: 'ours' | 'ratio' }
}

export interface Subject {
  readonly subject: string
  readonly alternative: string
  readonly rows: readonly Row[]
}

/** The middle value of the values in order. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

const shown = (value: number | undefined) =>
  value === undefined ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

/** Our figure divided by the figure of the alternative; undefined if the ratio would mean nothing. */
function ratioOf({ ours, other }: Row): number | undefined {
  return other !== undefined && other > 0 && ours >= 0 ? ours / other : undefined
}

function isMet(row: Row): boolean | undefined {
  if (!row.aim) return undefined
  const value = row.aim.of === 'ours' ? row.ours : ratioOf(row)
  const { atLeast = -Infinity, atMost = Infinity } = row.aim
  return value !== undefined && value >= atLeast && value <= atMost
}

function verdict(row: Row): string {
  if (!row.aim) return ''
  const { atLeast, atMost, of } = row.aim
  const bound = atLeast === undefined ? `≤ ${shown(atMost)}` : `≥ ${shown(atLeast)}`
  return `${bound} ${of === 'ratio' ? '×' : row.unit} ${isMet(row) ? 'met' : 'MISSED'}`
}

export function print({ subject, alternative, rows }: Subject): void {
  const lines = rows.map((row) => [
    row.what,
    `${shown(row.ours)} ${row.unit}`,
    row.other === undefined ? '' : `${shown(row.other)} ${row.unit}`,
    ratioOf(row) === undefined ? '' : `${shown(ratioOf(row))} ×`,
    verdict(row),
  ])
  const table = [['', 'ours', alternative, 'ratio', 'aim'], ...lines]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((line) => (line[column] ?? '').length)))
  console.log(`\n${subject}`)
  for (const line of table) console.log(`  ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}

/**
 * Writes the figures of one subject into bench/results.json, with the machine, the time, and how busy the machine was.
 * The figures of the other subjects stay.
 */
export function save(name: string, subjects: readonly Subject[], seconds: number): void {
  const { version } = createRequire(__filename)('node-red/package.json') as { version: string }
  const measured = {
    at: new Date().toISOString(),
    seconds: Math.round(seconds),
    node: process.version,
    nodeRed: version,
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    // A load above the number of cores means that other programs were running too, or that processes of this benchmark
    // had to wait for each other.
    loadAverage: Number((loadavg()[0] ?? NaN).toFixed(1)),
  }
  const tables = subjects.map(({ rows, ...subject }) => ({
    ...subject,
    rows: rows.map((row) => ({
      what: row.what,
      unit: row.unit,
      ours: rounded(row.ours),
      other: rounded(row.other),
      ratio: rounded(ratioOf(row)),
      aim: row.aim && { ...row.aim, met: isMet(row) },
    })),
  }))
  const file = join(__dirname, 'results.json')
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
  writeFileSync(file, `${JSON.stringify({ ...earlier, [name]: { measured, tables } }, null, 2)}\n`)
}

const rounded = (value: number | undefined) => (value === undefined ? undefined : Number(value.toPrecision(4)))
