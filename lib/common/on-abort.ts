/**
 * Calls functions when a signal is aborted. Each signal gets a single listener for all functions. If a signal had
 * thousands of listeners, adding or removing a listener would compare it with all the others.
 */

/** An AbortSignal, or a similar object that a script passes to axios. */
interface Stoppable {
  addEventListener?(type: 'abort', listener: () => void): void
  removeEventListener?(type: 'abort', listener: () => void): void
}

interface Watch {
  readonly stops: Set<() => void>
  readonly listener: () => void
}

const watches = new WeakMap<Stoppable, Watch>()

/** Calls `stop` when the signal is aborted after this call. */
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

/** Removes `stop`, and the listener if `stop` was the signal's last function. */
export function offAbort(signal: Stoppable, stop: () => void): void {
  const known = watches.get(signal)
  if (!known?.stops.delete(stop) || known.stops.size > 0) return
  watches.delete(signal)
  signal.removeEventListener?.('abort', known.listener)
}
