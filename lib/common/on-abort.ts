/**
 * Calls functions when a signal is aborted, through one listener for each signal: with thousands of them, each would be
 * compared with all others when it comes and when it goes.
 */

/** An AbortSignal, or what a script passes to axios in its place. */
export interface Stoppable {
  addEventListener?(type: 'abort', listener: () => void): void
  removeEventListener?(type: 'abort', listener: () => void): void
}

interface Watch {
  readonly stops: Set<() => void>
  readonly listener: () => void
}

const watches = new WeakMap<Stoppable, Watch>()

/** Calls `stop` when the signal is aborted from now on. */
export function onAbort(signal: Stoppable, stop: () => void): void {
  const known = watches.get(signal)
  if (known) return void known.stops.add(stop)
  const stops = new Set([stop])
  const listener = () => {
    for (const one of [...stops]) one()
  }
  watches.set(signal, { stops, listener })
  signal.addEventListener?.('abort', listener)
}

/** Forgets `stop`; the last one takes the listener with it. */
export function offAbort(signal: Stoppable, stop: () => void): void {
  const known = watches.get(signal)
  if (!known?.stops.delete(stop) || known.stops.size > 0) return
  watches.delete(signal)
  signal.removeEventListener?.('abort', known.listener)
}
