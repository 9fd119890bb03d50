/**
 * Tells below the node how many messages wait, and of a single one how far it is: "1 of 2 signed, waiting for Kari, 3
 * days left".
 */
import { systemClock } from '../../lib/runtime/clock'
import { briefly } from '../../lib/runtime/errors'
import type { LiveNode } from '../../lib/runtime/live-node'
import type { PollerOptions } from './poller'
import type { PendingWait } from './stored-wait'
import type { fields } from './wait.fields'

type Live = Pick<LiveNode<typeof fields>, 'status' | 'translate'>

/** Shows the status after every question. */
export function createProgress({ status, translate }: Live): PollerOptions['asked'] {
  const show = (text: string) => status.show({ fill: 'blue', shape: 'dot', text })
  return (count, { wait, trouble }) => {
    if (count === 0) return status.rest()
    if (trouble) return status.show({ fill: 'red', shape: 'ring', text: briefly(trouble, translate) })
    if (count > 1) return show(translate('status.waitingMany', { count }))
    const parts = wait ? [signedOf(wait), remaining(wait)] : []
    const texts = parts.flatMap((part) => (part ? [translate(`status.${part.key}`, part.params)] : []))
    show(texts.length > 0 ? texts.join(', ') : translate('status.waiting'))
  }
}

interface Part {
  readonly key: string
  readonly params: Record<string, string | number>
}

function signedOf({ details }: PendingWait): Part | undefined {
  const { signed, all = 0, waitingFor = [] } = details ?? {}
  if (signed === undefined) return undefined
  const params = { signed, all }
  // The first name is enough below a node.
  const [name = ''] = waitingFor[0]?.name.split(' ') ?? []
  if (name === '') return { key: 'signed', params }
  return waitingFor.length > 1
    ? { key: 'signedNextMany', params: { ...params, name, more: waitingFor.length - 1 } }
    : { key: 'signedNext', params: { ...params, name } }
}

/** The time that is left, by the document's own limit or the person's, whichever comes first. */
function remaining({ what, details, deadline }: PendingWait): Part | undefined {
  const own = what === 'document' ? (details?.until ?? Infinity) - systemClock.wall() : Infinity
  const leftMs = Math.min(own, deadline - systemClock.now())
  if (!Number.isFinite(leftMs) || leftMs <= 0) return undefined
  const [unit, size] = units.find(([, milliseconds]) => leftMs >= milliseconds) ?? ['minute', leftMs]
  const count = Math.floor(leftMs / size)
  return { key: count === 1 ? `${unit}Left` : `${unit}sLeft`, params: { count } }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
