/** Prints one table per subject and keeps the figures for bench/results.json. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of a table: a figure of ours, of the alternative, and the ratio, with the aim it is held against. */
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

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

const shown = (value: number | undefined) =>
  value === undefined ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

function verdict(row: Row): string {
  if (!row.aim) return ''
  const value = row.aim.of === 'ours' ? row.ours : row.ours / (row.other ?? NaN)
  const { atLeast, atMost } = row.aim
  const bound = atLeast === undefined ? `≤ ${shown(atMost)}` : `≥ ${shown(atLeast)}`
  const good = atLeast === undefined ? value <= (atMost ?? Infinity) : value >= atLeast
  return `${bound} ${row.aim.of === 'ratio' ? '×' : ''} ${good ? 'met' : 'MISSED'}`
}

export function print({ subject, alternative, rows }: Subject): void {
  const lines = rows.map((row) => [
    row.what,
    `${shown(row.ours)} ${row.unit}`,
    row.other === undefined ? '' : `${shown(row.other)} ${row.unit}`,
    row.other === undefined ? '' : `${shown(row.ours / row.other)} ×`,
    verdict(row),
  ])
  const table = [['', 'ours', alternative, 'ratio', 'aim'], ...lines]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((line) => (line[column] ?? '').length)))
  console.log(`\n${subject}`)
  for (const line of table) console.log(`  ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}

export function save(subjects: readonly Subject[]): void {
  const machine = { node: process.version, platform: process.platform, at: new Date().toISOString() }
  writeFileSync(join(__dirname, 'results.json'), `${JSON.stringify({ machine, subjects }, null, 2)}\n`)
}
