/** "check": reads an archive back, and remembers the ends of its indexes. */
import { orAborted } from '../../lib/api/call/retry'
import type { Patch } from '../../lib/runtime/node/message-call'
import { archiveErrors, type ArchiveCall } from './archive-call'
import { finishLines } from './finish'
import { inTurn, type Archive } from './place'
import { readBack } from './read-back'

export async function checkArchive(call: ArchiveCall, place: Archive): Promise<Patch> {
  const { signal } = call
  const failed = archiveErrors(call, place.folder)
  await orAborted(
    inTurn(place, signal, () => finishLines(place, signal)),
    signal,
  ).catch(failed)
  const found = await readBack(place, signal).catch(failed)
  if (!found) return call.check([{ path: 'archiveFolder', key: 'noArchive' }]) as never
  const { report, seals } = found
  const known = await inTurn(place, signal, async () => {
    const before = await place.memory.seals(place.real)
    await place.memory.remember(place.real, seals)
    return before
  })
  // Only a person can know who wrote another index.
  for (const [index, { lines: count }] of Object.entries(seals))
    if (index !== place.index && !known[index]) call.warn('otherIndex', { index, count })
  const { documents: count, whole, missing, changed, added, chain } = report
  // File names may contain personal data, so they are not shown in the status.
  const isWhole = [missing, changed, added].every((files) => files.length === 0) && chain === 'whole'
  if (isWhole) call.setStatus(count === 1 ? 'archiveWholeOne' : 'archiveWhole', { count }, 'grey')
  else call.setStatus('archiveDiffers', { count, whole }, 'yellow')
  return { payload: report }
}
