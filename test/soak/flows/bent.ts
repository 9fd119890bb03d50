/**
 * Manipulates what a Node-RED of the model runs on: clocks and timers run faster and can be set, and the disk can fill
 * up. Must be loaded before anything else.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'

export type DiskTrouble = 'disk-full' | 'no-descriptors'

interface Bent {
  /** Sets the system clock off by this many milliseconds in all. */
  setClock(offsetMs: number): void
  /** The trouble with the disk; undefined while there is no trouble. */
  trouble: DiskTrouble | undefined
}

/**
 * `start` is the time at which the parent's clock began to run faster; `isKept` says for which files the disk fails.
 */
export function bend(scale: number, start: number, offset: number, isKept: (path: string) => boolean): Bent {
  const bent = { trouble: undefined as DiskTrouble | undefined, offset }
  bendClocks(scale, start, () => bent.offset)
  bendTimers(scale)
  bendDisk(() => bent.trouble, isKept)
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

/** Operations that need a file descriptor, and operations that need disk space. */
const opening = ['open', 'readFile', 'opendir', 'readdir', 'writeFile', 'readFileSync', 'openSync', 'writeFileSync']
const making = ['mkdir', 'writeFile', 'writeFileSync', 'mkdirSync']

function bendDisk(trouble: () => DiskTrouble | undefined, isKept: (path: string) => boolean): void {
  const opened = new Set<number>()
  const failure = (name: string, args: readonly unknown[]): Error | undefined => {
    const kind = trouble()
    if (!kind) return undefined
    const [target, flags] = args
    const isOurs = typeof target === 'number' ? opened.has(target) : isKept(String(target))
    if (!isOurs) return undefined
    if (kind === 'no-descriptors') return opening.includes(name) ? failed('EMFILE', name) : undefined
    const writes = name === 'write' || making.includes(name) || (name === 'open' && /^[aw]/.test(String(flags)))
    return writes ? failed('ENOSPC', name) : undefined
  }
  const callbacks = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const name of new Set([...opening, ...making, 'write'])) {
    const real = callbacks[name]
    if (!real) continue
    const bentOne = (...args: unknown[]) => {
      const error = failure(name, args)
      const tell = args.at(-1)
      if (error && typeof tell !== 'function') throw error
      if (error) return void setImmediate(tell as (error: Error) => void, error)
      if (name !== 'open' || typeof tell !== 'function') return real(...args)
      const isOurs = isKept(String(args[0]))
      return real(...args.slice(0, -1), (problem: unknown, file: number) => {
        // The system reuses descriptors, so the descriptor of a file that is not ours is removed.
        if (isOurs) opened.add(file)
        else opened.delete(file)
        ;(tell as (problem: unknown, file: number) => void)(problem, file)
      })
    }
    callbacks[name] = Object.assign(bentOne, real)
  }
  const promised = promises as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  for (const name of ['open', 'readFile', 'opendir', 'readdir', 'writeFile', 'mkdir']) {
    const real = promised[name]
    if (!real) continue
    promised[name] = (...args) => {
      const error = failure(name, args)
      return error ? Promise.reject(error) : real(...args)
    }
  }
}

function failed(code: string, name: string): Error {
  return Object.assign(new Error(`${code}: the model, ${name}`), { code, syscall: name })
}
