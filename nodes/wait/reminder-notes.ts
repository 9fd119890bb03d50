/**
 * Finds the common place where all "wait" nodes of a client note their reminders. It is needed because two nodes may
 * wait for the same document, and because a person may send a reminder with a button.
 */
import { hosted } from '../../lib/runtime/node-red/host'
import type { LiveNode } from '../../lib/runtime/node/live-node'
import { openNodeStore } from '../../lib/runtime/node/node-store'
import type { Store } from '../../lib/store/store'
import { reminderKind, type ReminderNotes } from '../../lib/runtime/monitor/reminder-notes'
import type { fields } from './wait.fields'

type Live = LiveNode<typeof fields>

interface SharedNotes {
  readonly store: Store
  users: number
}

const createPlaces = () => new Map<string, SharedNotes>()

export interface OwnNotes {
  /** Returns the notes, which are opened on first use. */
  notes(): ReminderNotes
  close(): Promise<void>
}

export function createReminderNotes(live: Live): OwnNotes {
  const { RED, config, node } = live
  const key = JSON.stringify([config.client, config.shared ?? ''])
  const places = hosted(RED, createPlaces)
  let own: SharedNotes | undefined
  return {
    notes() {
      if (own) return own.store
      const owner = RED.nodes.getNode(String(config.client)) ?? node
      own = places.get(key) ?? { store: openNodeStore(live, { kind: reminderKind, owner }), users: 0 }
      own.users++
      places.set(key, own)
      return own.store
    },
    async close() {
      if (!own || --own.users > 0) return
      places.delete(key)
      await own.store.close()
    },
  }
}
