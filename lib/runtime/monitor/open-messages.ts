/**
 * The messages for which an error is still open. The error is settled when all of these messages have passed the node
 * that reported it.
 */
import { propertyOf } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'
import { rowOf, type Subjects } from './error-rows'
import { markOf } from './key-marks'

/**
 * A message is identified by its id or by a hash of its key. The id stays the same when a Catch node sends the message
 * back.
 */
export interface OpenMessage {
  readonly id?: string
  readonly key?: string
  readonly title?: string
  readonly row?: string
}

interface Open extends Subjects {
  readonly count: number
  /** Absent if there are too many messages to track, or if one of them can't be identified. */
  readonly open?: readonly OpenMessage[] | undefined
}

const maxOpen = 100

export function openMessage(msg: FlowMessage, title?: string): OpenMessage {
  const { _msgid: id } = msg
  const [row] = rowOf(msg)
  const key = markOf(propertyOf(msg, 'externalId'))
  return {
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    ...(row !== undefined && { row }),
  }
}

/** Adds this message to the open messages, unless it is already among them. */
export function addOpen(before: Open | undefined, one: OpenMessage): Pick<Open, 'open'> {
  const others = before ? before.open?.filter((other) => !isSame(one, other)) : []
  const isKnown = one.id !== undefined || one.key !== undefined
  if (others && isKnown && others.length < maxOpen) return { open: [one, ...others] }
  return before?.open ? { open: undefined } : {}
}

/**
 * Removes this message from the open messages of the error. Returns undefined if no other message is open, and the
 * unchanged error if this message was not open.
 */
export function withoutOpen<E extends Open>(entry: E, passed: OpenMessage): E | undefined {
  const open = entry.open?.filter((one) => !isSame(passed, one))
  if (!open || open.length === entry.open?.length) return entry
  if (open.length === 0) return undefined
  const isOpen = (name: 'title' | 'row', value: string) => open.some((one) => one[name] === value)
  const solved = entry.open?.filter((one) => isSame(passed, one)) ?? []
  const isOver = (name: 'title' | 'row', value: string) =>
    solved.some((one) => one[name] === value) && !isOpen(name, value)
  const { rows, rowMarks, titles } = entry
  return {
    ...entry,
    open,
    count: open.length,
    ...(rows && { rows: rows.filter((row) => !isOver('row', row)) }),
    ...(rowMarks && { rowMarks: rowMarks.filter(([row]) => !isOver('row', row)) }),
    ...(titles && { titles: titles.filter(([row, title]) => !isOver(row === '' ? 'title' : 'row', row || title)) }),
  }
}

function isSame(one: OpenMessage, other: OpenMessage): boolean {
  return (one.id !== undefined && one.id === other.id) || (one.key !== undefined && one.key === other.key)
}
