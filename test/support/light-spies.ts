/**
 * Light spies for the test helper. The spies of sinon keep every message, its answer and a stack for each call. In a
 * test with ten thousand messages, this takes half of the test's time. The helper only needs the last call, reported as
 * `call:<method>`.
 */
import type { SpySandbox } from 'node-red-node-test-helper'

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Replaces the sinon sandbox of the helper. */
export function lightSpies(): SpySandbox {
  const restores: (() => void)[] = []
  const restore = () => {
    for (const one of restores.splice(0).reverse()) one()
  }
  return {
    spy(object, name) {
      const own = Object.getOwnPropertyDescriptor(object, name)
      const original = object[name] as Method
      const spied: Method & { lastCall?: object; restore?: () => void } = function (...args) {
        spied.lastCall = { args, firstArg: args[0] }
        return original.apply(this, args)
      }
      spied.restore = restore
      object[name] = spied
      restores.push(() => {
        if (own) Object.defineProperty(object, name, own)
        else delete object[name]
      })
      return spied
    },
    restore,
  }
}
