/**
 * Tells below the node how many messages wait, and of a single one how far it is: "1 of 2 signed, waiting for Kari, 3
 * days left".
 */
import { systemClock } from '../../lib/runtime/clock'
import { briefly } from '../../lib/runtime/errors'
import type { LiveNode } from '../../lib/runtime/live-node'
import { getPath } from '../../lib/runtime/read-text'
import type { Asked, PollerOptions } from './poller'
import type { PendingWait } from './stored-wait'
import type { fields } from './wait.fields'

type Live = Pick<LiveNode<typeof fields>, 'status' | 'translate' | 'send' | 'closing'>

/** What is known of the document that the only message waits for. */
interface Details {
  readonly wait: PendingWait
  /** The status that the document had then. */
  readonly status: string
  readonly at: number
  readonly document: unknown
}

/**
 * Several may sign without a change of status: milliseconds after which a partly signed document is looked at again.
 */
const detailsAgeMs = 60_000

/**
 * Shows the status after every question. Documents alone are looked at for it, one call more per change of
 * their status.
 */
export function createProgress(live: Live): PollerOptions['asked'] {
  const { status, translate } = live
  let latest: Details | undefined
  let count = 0

  const show = (text: string) => status.show({ fill: 'blue', shape: 'dot', text })
  const showDetails = ({ document, wait }: Details) => {
    const parts = [signedOf(document), ...remaining(document, wait)]
    const texts = parts.flatMap((part) => (part ? [translate(`status.${part.key}`, part.params)] : []))
    show(texts.length > 0 ? texts.join(', ') : translate('status.waiting'))
  }
  const look = async (wait: PendingWait, state: string) => {
    const { data } = await live.send('getDocument', { id: wait.resourceId })
    latest = { wait, status: state, at: systemClock.now(), document: data }
    if (count === 1 && !live.closing.aborted) showDetails(latest)
  }
  const isFresh = (details: Details | undefined, { wait, state }: Asked) =>
    details?.wait === wait &&
    details?.status === state?.status &&
    (details?.status !== 'partialsigned' || systemClock.now() - details.at < detailsAgeMs)

  return (waiting, asked) => {
    count = waiting
    const { wait, state, trouble } = asked
    if (count === 0) return status.rest()
    if (trouble) {
      return status.show({ fill: 'red', shape: 'ring', text: briefly(trouble, translate) })
    }
    if (count > 1) return show(translate('status.waitingMany', { count }))
    if (latest && isFresh(latest, asked)) return showDetails(latest)
    show(translate('status.waiting'))
    // Nobody waits for these words: without them the status is the plain one.
    if (wait?.what === 'document' && state) look(wait, state.status).catch(() => show(translate('status.waiting')))
  }
}

interface Part {
  readonly key: string
  readonly params: Record<string, string | number>
}

function signedOf(document: unknown): Part | undefined {
  const list = getPath(document, 'signers')
  const signers = Array.isArray(list) ? (list as unknown[]) : []
  const open = signers.filter((one) => getPath(one, 'documentSignature') === undefined)
  const [next] = open.map((one) => getPath(one, 'signerInfo.firstName')).filter((name) => typeof name === 'string')
  if (signers.length === 0) return undefined
  const params = { signed: signers.length - open.length, all: signers.length }
  if (next === undefined || next === '') return { key: 'signed', params }
  return open.length > 1
    ? { key: 'signedNextMany', params: { ...params, name: next, more: open.length - 1 } }
    : { key: 'signedNext', params: { ...params, name: next } }
}

/** The time that is left, by the document's own limit or the person's, whichever comes first. */
function remaining(document: unknown, { deadline }: PendingWait): [Part | undefined] {
  const own = Date.parse(String(getPath(document, 'advanced.timeToLive.deadline'))) - systemClock.wall()
  const leftMs = Math.min(Number.isNaN(own) ? Infinity : own, deadline - systemClock.now())
  if (!Number.isFinite(leftMs) || leftMs <= 0) return [undefined]
  const [unit, size] = units.find(([, milliseconds]) => leftMs >= milliseconds) ?? ['minute', leftMs]
  const count = Math.floor(leftMs / size)
  return [{ key: count === 1 ? `${unit}Left` : `${unit}sLeft`, params: { count } }]
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
