/**
 * One item of a store that lives in this process, and the text as which it is written down: a line about
 * it, then its body.
 */
import { compactText, nameOf } from '../item-name'
import { readMoment, writeMoment, type Clock, type Written } from '../clock'
import type { Changes, Item, Listed } from '../store'

export interface Entry {
  readonly id: string
  /** Under which it is written down. */
  readonly name: string
  /** The order in which items were first kept. */
  readonly seq: number
  /** When it was first kept, in milliseconds since 1970. */
  readonly since: number
  /** The same by the clock that nobody sets: how old it is follows no clock that is set. */
  readonly born: number
  version: number
  /** As text: a third of what it weighs otherwise. */
  summary: string | undefined
  subject: string
  handedOut: number
  /** By the clock that nobody sets, as all moments here; undefined for what is no work. */
  due: number | undefined
  expires: number | undefined
  lease: { readonly owner: string; readonly until: number } | undefined
  /** Woken while it was claimed. */
  woken: boolean
  count: number
  /** Of the body and the summary. */
  bytes: number
  /** The body as text, while it isn't written down, or is being worked on. */
  text: string | undefined
}

/** The layout of the text; what a later one has written is left alone. */
const layout = 1

interface Header {
  readonly v: number
  readonly id: string
  /** The order in which items were first kept. */
  readonly seq: number
  readonly since: number
  readonly version: number
  readonly bytes: number
  readonly handedOut?: number
  readonly count?: number
  readonly due?: Written
  readonly expires?: Written
  readonly summary?: unknown
  readonly subject?: string
}

/** Written out, as one literal: a hundred thousand of them are a third of the size of what is put together. */
export function newEntry(id: string, seq: number, since: number, born: number): Entry {
  return {
    id,
    seq,
    name: nameOf(id),
    since,
    born,
    version: 1,
    summary: undefined,
    subject: '',
    handedOut: 0,
    due: undefined,
    expires: undefined,
    lease: undefined,
    woken: false,
    count: 0,
    bytes: 0,
    text: '',
  }
}

/** When it may be claimed; Infinity for what is no work. */
export function claimableAt({ due, lease }: Entry): number {
  return due === undefined ? Infinity : Math.max(due, lease?.until ?? 0)
}

export function isExpired({ expires }: Entry, now: number): boolean {
  return expires !== undefined && expires <= now
}

/** Lays what is given over the entry. */
export function changeEntry(entry: Entry, { body, summary, subject, keepMs }: Changes, clock: Clock): void {
  if (body !== undefined) entry.text = JSON.stringify(body)
  if (summary !== undefined) entry.summary = JSON.stringify(summary)
  if (subject !== undefined) entry.subject = compactText(subject)
  if (keepMs !== undefined) entry.expires = clock.now() + keepMs
  if (body !== undefined || summary !== undefined) {
    entry.bytes = Buffer.byteLength(entry.text ?? '') + Buffer.byteLength(entry.summary ?? '')
  }
}

export function listedOf(entry: Entry, clock: Clock): Listed {
  const { id, subject, since, handedOut: deliveryCount, due, seq: position } = entry
  const summary = entry.summary === undefined ? undefined : (JSON.parse(entry.summary) as unknown)
  const listed = { id, summary, subject, since, deliveryCount, position }
  return due === undefined ? listed : { ...listed, due: Math.round(clock.epochNow() + due - clock.now()) }
}

/** Throws when the body is no JSON. */
export function itemOf(entry: Entry, text: string, clock: Clock): Item {
  const body = text === '' ? undefined : (JSON.parse(text) as unknown)
  return { ...listedOf(entry, clock), body, version: entry.version, ageMs: clock.now() - entry.born }
}

/** What is written down of an entry whose body is in memory. */
export function textOf(entry: Entry, clock: Clock): string {
  const { id, seq, since, version, bytes, handedOut, count, due, expires, summary, subject } = entry
  const header: Header = {
    ...{ v: layout, id, seq, since, version, bytes },
    ...(handedOut > 0 && { handedOut }),
    ...(count > 0 && { count }),
    ...(due !== undefined && { due: writeMoment(clock, due) }),
    ...(expires !== undefined && { expires: writeMoment(clock, expires) }),
    ...(subject !== '' && { subject }),
  }
  const line = JSON.stringify(header).slice(0, -1)
  return `${line}${summary === undefined ? '' : `,"summary":${summary}`}}\n${entry.text ?? ''}`
}

/**
 * The entry of a text, without its body; 'newer' when a later layout has written it. Throws when it is none, or not
 * that of this name.
 */
export function readEntry(name: string, text: string, clock: Clock): Entry | 'newer' {
  const header = JSON.parse(text.slice(0, lineEnd(text))) as Partial<Header> | null
  if (typeof header?.v === 'number' && header.v > layout) return 'newer'
  const { id, seq, since, version, bytes, handedOut = 0, count = 0 } = header ?? {}
  const numbers = [seq, since, version, bytes, handedOut, count]
  if (typeof id !== 'string' || !numbers.every(Number.isFinite)) throw new Error('not an item')
  if (nameOf(id) !== name) throw new Error('not where it belongs')
  const due = header?.due && momentOf(clock, header.due)
  const expires = header?.expires ? momentOf(clock, header.expires) : undefined
  const read = { version: Number(version), bytes: Number(bytes), handedOut, count, due, expires }
  const { summary, subject = '' } = header ?? {}
  const about = { summary: summary === undefined ? undefined : JSON.stringify(summary), subject }
  const born = readMoment(clock, [Number(since), 0])
  // One text for both, where they are the same.
  return Object.assign(newEntry(id === name ? name : id, Number(seq), Number(since), born), read, about, {
    text: undefined,
  })
}

function momentOf(clock: Clock, written: Written): number {
  const moment = Array.isArray(written) && readMoment(clock, written)
  if (!Number.isFinite(moment)) throw new Error('not a moment')
  return Number(moment)
}

/** The body that stands behind the line about it. */
export function bodyIn(text: string): string {
  return text.slice(lineEnd(text) + 1)
}

function lineEnd(text: string): number {
  const end = text.indexOf('\n')
  if (end < 0) throw new Error('no end of line')
  return end
}
