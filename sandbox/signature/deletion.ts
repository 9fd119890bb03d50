/**
 * Deletes the files of a document some time after its end (`advanced.timeToLive.deleteAfterHours`). The documentation
 * says that the files are deleted after 168 hours by default, with two events. The documentation does not say how far
 * apart the events are: the sandbox leaves a day between them.
 */
import { objectIn } from '../server/json'
import type { World } from '../world'
import type { SignatureDocument } from './state'

export const DEFAULT_HOURS = 168
const HOUR_MS = 3600_000
const WARNING_HOURS = 24

type Tell = (type: string, message: string) => void

/**
 * Schedules the deletion of the files of a document that has just ended; `tell` raises the events about the deletion.
 */
export function planDeletion(document: SignatureDocument, world: World, tell: Tell): void {
  const { deleteAfterHours } = objectIn(objectIn(document.requested.advanced).timeToLive)
  const hours = Number(deleteAfterHours ?? DEFAULT_HOURS)
  const warning = Math.min(WARNING_HOURS, hours / 2)
  const message = `The files of this document are deleted ${hours} hours after its end.`
  document.stopDeletion = world.clock.after((hours - warning) * HOUR_MS, () => {
    tell('document_before_deleted', message)
    document.stopDeletion = world.clock.after(warning * HOUR_MS, () => {
      removeFiles(document)
      document.lastUpdated = world.clock.iso()
      tell('document_deleted', message)
    })
  })
}

/** Removes everything but the record of who signed what, and when. */
function removeFiles(document: SignatureDocument): void {
  document.content?.remove()
  for (const { content } of document.attachments) content.remove()
  Object.assign(document, { content: undefined, attachments: [], completedPackages: [], isDeleted: true })
}
