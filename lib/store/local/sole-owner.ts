/**
 * Lets only one process at a time use the data in a user folder. Each process listens at an address of its own beside
 * it and answers which data it owns. A dead process no longer answers, so nothing has to be cleaned up, and neither
 * clocks nor process ids have to be trusted.
 */
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, othersBeside, standBeside, type Presence } from './presence'

/** Milliseconds before another process that is still deciding is asked again. */
const againMs = 50

/** Another living process uses the data. `code` and `syscall` mark errors that may pass. */
export class OwnedElsewhere extends Error {
  readonly code = 'EOWNED'
  readonly syscall = 'own'
  /** A description of the other process for people. */
  readonly owner: string

  constructor(owner: string) {
    super('another process owns this')
    this.owner = owner
  }
}

/** By user folder; undefined if no address is possible. */
const presences = new Map<string, Promise<Presence | undefined>>()
const owning = new Map<string, Promise<void>>()

/**
 * Resolves when the data under this name is ours, until the process ends. Rejects with `OwnedElsewhere`, or with a
 * system error that may pass.
 */
export function own(userDir: string, name: string): Promise<void> {
  const key = JSON.stringify([userDir, name])
  const known = owning.get(key)
  if (known) return known
  const decided = decide(userDir, name)
  owning.set(key, decided)
  decided.catch(() => owning.delete(key))
  return decided
}

async function decide(userDir: string, name: string): Promise<void> {
  const presence = await presenceIn(userDir)
  // A folder where no process can be asked.
  if (!presence) return
  const { id, states } = presence
  // Announced before the others are asked: of two that start at once, at least one notices the other.
  states.set(name, 'deciding')
  try {
    for (const other of await othersBeside(presence)) await giveWay(other, id, name)
  } catch (error) {
    states.delete(name)
    throw error
  }
  states.set(name, 'owner')
}

/** Resolves when the other process has no claim; of two that are deciding, the one with the smaller id wins. */
async function giveWay(address: string, id: string, name: string): Promise<void> {
  for (;;) {
    const answer = await ask(address, name)
    if (answer === 'gone' || answer.state === 'none') return
    const isBehind = answer.state === 'deciding' && answer.id > id
    if (!isBehind) throw new OwnedElsewhere(answer.owner)
    await pause(againMs)
  }
}

function presenceIn(userDir: string): Promise<Presence | undefined> {
  const known = presences.get(userDir)
  if (known) return known
  const standing = standBeside(userDir, `${process.pid} ${hostname()}`)
  presences.set(userDir, standing)
  standing.catch(() => presences.delete(userDir))
  return standing
}
