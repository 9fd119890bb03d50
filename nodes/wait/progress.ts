/**
 * Shows below the node how many messages wait, or the progress of a single one: "1 of 2 signed, waiting for Kari, 3
 * days left".
 */
import type { Text } from '../../lib/api/errors/texts'
import { roundedDuration } from '../../lib/common/duration'
import { systemClock } from '../../lib/store/clock'
import { statusTextOf } from '../../lib/runtime/node-red/errors'
import { errorStatus } from '../../lib/runtime/node/status'
import type { LiveNode } from '../../lib/runtime/node/live-node'
import { lastOfSigner } from '../../lib/runtime/monitor/signer-activity'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import type { Translate } from '../../lib/runtime/node-red/texts'
import type { Details } from './details'
import { kindOf } from './goals'
import type { PendingWait } from './stored-wait'
import type { fields } from './wait.fields'
import type { WaitsOptions } from './waits'

type Live = Pick<LiveNode<typeof fields>, 'RED' | 'status' | 'translate'>

/** Shows the status after every poll. */
export function createProgress({ RED, status, translate }: Live): WaitsOptions['changed'] {
  const elsewhere = (count: number, others: number) => {
    const text = translate(count === 1 ? 'status.elsewhereOne' : 'status.elsewhere', { count })
    return others > 0 ? `${translate('status.waitingMany', { count: others })}, ${text}` : text
  }
  const show = (text: string) => status.show({ fill: 'blue', shape: 'dot', text })
  return (count, { wait, details, trouble, pauseMs, heldBack = 0 }) => {
    if (count === 0) return status.rest()
    if (trouble) return status.show(errorStatus(statusTextOf(trouble, translate)))
    if (heldBack > 0) return status.show({ fill: 'yellow', shape: 'ring', text: elsewhere(heldBack, count - heldBack) })
    if (count > 1) return show(translate('status.waitingMany', { count }))
    const parts = wait ? [signedOf(RED, wait, details, translate), remaining(wait, details), nextOf(pauseMs)] : []
    const texts = parts.flatMap((part) => (part ? [translate(`status.${part.key}`, part.params)] : []))
    // If neither the signatures nor a time limit is known, the text begins with *waiting*, because the time of the next
    // poll alone says nothing about the progress.
    if (parts[0] || parts[1]) return show(texts.join(', '))
    show([translate('status.waiting'), ...texts].join(', '))
  }
}

function signedOf(
  RED: HostOwner,
  { resourceId }: PendingWait,
  details: Details | undefined,
  translate: Translate,
): Text | undefined {
  const { signed, all = 0, waitingFor = [] } = details ?? {}
  if (signed === undefined) return undefined
  const params = { signed, all }
  // There is little room below a node, so only the first name is shown.
  const [first] = waitingFor
  const [short = ''] = first?.name.split(' ') ?? []
  if (short === '') return { key: 'signed', params }
  const last = lastOfSigner(RED, resourceId, [first?.mark, first?.url])
  const name = last ? translate(`last.${last.what}`, { name: short }) : short
  return waitingFor.length > 1
    ? { key: 'signedNextMany', params: { ...params, name, more: waitingFor.length - 1 } }
    : { key: 'signedNext', params: { ...params, name } }
}

/** Returns the time left until the document's own deadline or the configured limit, whichever comes first. */
function remaining({ what, deadline }: PendingWait, details: Details | undefined): Text | undefined {
  const own = kindOf(what) === 'document' ? (details?.until ?? Infinity) - systemClock.epochNow() : Infinity
  const leftMs = Math.min(own, deadline - systemClock.now())
  if (!Number.isFinite(leftMs) || leftMs <= 0) return undefined
  const { unit, count } = roundedDuration(leftMs) ?? { unit: 'minute', count: 1 }
  return { key: count === 1 ? `${unit}Left` : `${unit}sLeft`, params: { count } }
}

/** Shorter pauses are not shown, because they are over before anyone has read about them. */
const tellPauseMs = 60_000
const dayMs = 86_400_000

/** Returns when the service is polled next, by the clock of this machine. */
function nextOf(pauseMs = 0): Text | undefined {
  if (pauseMs < tellPauseMs || pauseMs > dayMs / 2) return undefined
  const at = new Date(systemClock.epochNow() + pauseMs)
  const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  return { key: 'asksAt', params: { time } }
}
