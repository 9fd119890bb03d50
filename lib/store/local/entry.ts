/** One item of a store in this process, and the text in which it is stored: a header line, then the body. */
import { createHash } from 'node:crypto'
import { compactText, nameOf } from '../item-name'
import { readMoment, writeMoment, type Clock, type WrittenMoment } from '../clock'
import type { Changes, Item, Listed } from '../store'

export interface Entry {
  readonly id: string
  /** The name under which the item is stored. */
  readonly name: string
  /** The item's place in the order in which items were first stored. */
  readonly seq: number
  /** When the item was first stored, in milliseconds since 1970. */
  readonly since: number
  /**
   * When the item was first stored, by the monotonic clock, so that its age does not change when the system clock is
   * set.
   */
  readonly createdAt: number
  version: number
  /** The summary as JSON text, which takes a third of the memory of the object. */
  summary: string | undefined
  subject: string
  deliveryCount: number
  /** When the item is due, by the monotonic clock, like all moments here; undefined if the item is not work. */
  due: number | undefined
  expires: number | undefined
  /** The owner of the claim. A claim has no time limit here, because its owner lives as long as the process. */
  owner: string | undefined
  /** True if the item was made due while it was claimed. */
  woken: boolean
  count: number
  /** Size of body and summary in bytes. */
  bytes: number
  /** The body as text, present as long as the body is not stored yet or the item is claimed. */
  text: string | undefined
}

/** The version of the text format; items with a newer format are left unchanged. */
const layout = 1

interface Header {
  readonly v: number
  readonly id: string
  /** The item's place in the order in which items were first stored. */
  readonly seq: number
  readonly since: number
  readonly version: number
  readonly bytes: number
  readonly handedOut?: number
  readonly count?: number
  readonly due?: WrittenMoment
  readonly expires?: WrittenMoment
  /**
   * When the item was first stored, in a form that copes with a changed clock; an earlier version wrote only `since`.
   */
  readonly created?: WrittenMoment
  readonly summary?: unknown
  readonly subject?: string
}

/**
 * Uses a single object literal: a hundred thousand such objects take a third of the memory of objects built by
 * spreading.
 */
export function newEntry(id: string, seq: number, since: number, createdAt: number): Entry {
  return {
    id,
    seq,
    name: nameOf(id),
    since,
    createdAt,
    version: 1,
    summary: undefined,
    subject: '',
    deliveryCount: 0,
    due: undefined,
    expires: undefined,
    owner: undefined,
    woken: false,
    count: 0,
    bytes: 0,
    text: '',
  }
}

/** When the item may be claimed; Infinity if it is not work, or is already claimed. */
export function claimableAt({ due, owner }: Entry): number {
  return due === undefined || owner !== undefined ? Infinity : due
}

export function isExpired({ expires }: Entry, now: number): boolean {
  return expires !== undefined && expires <= now
}

/** Applies the given changes to the entry. */
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
  const { id, subject, since, deliveryCount, due, seq: position } = entry
  const summary = entry.summary === undefined ? undefined : (JSON.parse(entry.summary) as unknown)
  const listed = { id, summary, subject, since, deliveryCount, position }
  return due === undefined ? listed : { ...listed, due: Math.round(clock.epochNow() + due - clock.now()) }
}

/** Throws if the body is not JSON. */
export function itemOf(entry: Entry, text: string, clock: Clock): Item {
  const body = text === '' ? undefined : (JSON.parse(text) as unknown)
  return { ...listedOf(entry, clock), body, version: entry.version, ageMs: clock.now() - entry.createdAt }
}

/** The stored form of an entry whose body is in memory. */
export function textOf(entry: Entry, clock: Clock): string {
  const { id, seq, since, createdAt, version, bytes, deliveryCount, count, due, expires, summary, subject } = entry
  const header: Header = {
    v: layout,
    id,
    seq,
    since,
    version,
    bytes,
    created: writeMoment(clock, createdAt),
    ...(deliveryCount > 0 && { handedOut: deliveryCount }),
    ...(count > 0 && { count }),
    ...(due !== undefined && { due: writeMoment(clock, due) }),
    ...(expires !== undefined && { expires: writeMoment(clock, expires) }),
    ...(subject !== '' && { subject }),
  }
  const line = JSON.stringify(header).slice(0, -1)
  return withSum(`${line}${summary === undefined ? '' : `,"summary":${summary}`}`, entry.text ?? '')
}

/**
 * The entry in a text, without its body; 'newer' if the text has a newer format. Throws if the text is not an item,
 * belongs to another name, or is damaged.
 */
export function readEntry(name: string, text: string, clock: Clock): Entry | 'newer' {
  const header = JSON.parse(text.slice(0, lineEnd(text))) as Partial<Header> | null
  if (typeof header?.v === 'number' && header.v > layout) return 'newer'
  checkSum(text)
  const { id, seq, since, version, bytes, handedOut = 0, count = 0 } = header ?? {}
  const numbers = [seq, since, version, bytes, handedOut, count]
  if (typeof id !== 'string' || !numbers.every(Number.isFinite)) throw new Error('not an item')
  if (nameOf(id) !== name) throw new Error('not where it belongs')
  // Doing work too early does no harm, but an item must not be dropped too early.
  const due = header?.due && momentOf(clock, header.due, 'early')
  const expires = header?.expires && momentOf(clock, header.expires, 'late')
  const read = { version: Number(version), bytes: Number(bytes), deliveryCount: handedOut, count, due, expires }
  const { summary, subject = '' } = header ?? {}
  const about = { summary: summary === undefined ? undefined : JSON.stringify(summary), subject }
  const createdAt = momentOf(clock, header?.created ?? [Number(since), 0], 'late')
  // If id and name are equal, both properties share one string.
  return Object.assign(newEntry(id === name ? name : id, Number(seq), Number(since), createdAt), read, about, {
    text: undefined,
  })
}

function momentOf(clock: Clock, written: WrittenMoment, doubt: 'early' | 'late'): number {
  const moment = Array.isArray(written) && readMoment(clock, written, doubt)
  if (!Number.isFinite(moment)) throw new Error('not a moment')
  return Number(moment)
}

/** The body, after the header line. Throws if the text is damaged. */
export function bodyIn(text: string): string {
  checkSum(text)
  return text.slice(lineEnd(text) + 1)
}

/** The checksum at the end of a header line; an earlier version wrote no checksum. */
const sumAtEnd = /,"sum":"([0-9a-f]{16})"\}$/

/** Adds a checksum, because a flipped byte on disk could change an amount or a name. */
function withSum(line: string, body: string): string {
  return `${line},"sum":"${sumOf(line, body)}"}\n${body}`
}

function checkSum(text: string): void {
  const end = lineEnd(text)
  const line = text.slice(0, end)
  const [part = '', sum] = sumAtEnd.exec(line) ?? []
  if (sum === undefined) return
  if (sumOf(line.slice(0, -part.length), text.slice(end + 1)) !== sum) throw new Error('damaged')
}

function sumOf(line: string, body: string): string {
  return createHash('sha256').update(line).update('\n').update(body).digest('hex').slice(0, 16)
}

function lineEnd(text: string): number {
  const end = text.indexOf('\n')
  if (end < 0) throw new Error('no end of line')
  return end
}
