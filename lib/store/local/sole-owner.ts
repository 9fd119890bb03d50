/**
 * Lets only one process at a time use the data in a user folder. Each process listens at its own address beside the
 * data and answers which data it owns. A process that has ended no longer answers, so nothing has to be cleaned up, and
 * neither clocks nor process ids have to be trusted.
 */
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, othersBeside, standBeside, type Presence } from './presence'

/** Milliseconds between two questions to a process that is still deciding whether it owns the data. */
const againMs = 50

/** The error if another running process uses the data. `code` and `syscall` mark it as a temporary error. */
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

/**
 * The address and the answers of this process for each user folder; undefined if no address is possible in the folder.
 */
const presences = new Map<string, Promise<Presence | undefined>>()
const owning = new Map<string, Promise<void>>()

/**
 * Resolves when this process owns the data under this name. It owns the data until the process ends. Rejects with
 * `OwnedElsewhere`, or with a temporary system error.
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
  // If no address is possible in this folder, no process can be asked, so this process counts as the owner.
  if (!presence) return
  const { id, states } = presence
  // The state is set before the others are asked: if two processes start at once, at least one of them notices the
  // other.
  states.set(name, 'deciding')
  try {
    for (const other of await othersBeside(presence)) await giveWay(other, id, name)
  } catch (error) {
    states.delete(name)
    throw error
  }
  states.set(name, 'owner')
}

/**
 * Resolves when the other process does not own the data. If both processes are still deciding, the process with the
 * smaller id gets the data, and the other process gets an error.
 */
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
