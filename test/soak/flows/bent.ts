/**
 * Manipulates what a Node-RED of the model runs on: clocks and timers run faster and can be set. Must be
 * loaded before anything else.
 */
import { performance } from 'node:perf_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'

interface Bent {
  /** Sets the system clock off by this many milliseconds in all. */
  setClock(offsetMs: number): void
}

/** `start` is the time at which the parent's clock began to run faster. */
export function bend(scale: number, start: number, offset: number): Bent {
  const bent = { offset }
  bendClocks(scale, start, () => bent.offset)
  bendTimers(scale)
  return Object.assign(bent, { setClock: (offsetMs: number) => void (bent.offset = offsetMs) })
}

function bendClocks(scale: number, start: number, offset: () => number): void {
  const now = performance.now.bind(performance)
  const began = now()
  performance.now = () => began + (now() - began) * scale
  const RealDate = Date
  const wall = () => Math.floor(start + (RealDate.now() - start) * scale + offset())
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [], newTarget: NewableFunction) =>
      Reflect.construct(target, args.length === 0 ? [wall()] : args, newTarget) as Date,
    get: (target, name) => (name === 'now' ? wall : (Reflect.get(target, name) as unknown)),
  })
}

type Timer = (act: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]) => NodeJS.Timeout

function bendTimers(scale: number): void {
  const bendOne = (timer: Timer): Timer => {
    return (act, milliseconds, ...args) => timer(act, Number(milliseconds ?? 0) / scale, ...args)
  }
  const later = bendOne(setTimeout as unknown as Timer)
  const often = bendOne(setInterval as unknown as Timer)
  Object.assign(globalThis, { setTimeout: later, setInterval: often })
  Object.assign(timers, { setTimeout: later, setInterval: often })
  const pause = timersPromises.setTimeout.bind(timersPromises)
  Object.assign(timersPromises, {
    setTimeout: (milliseconds = 0, ...rest: [unknown, object]) => pause(milliseconds / scale, ...rest),
  })
}
