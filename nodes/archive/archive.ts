/** Stores signed documents in a folder with an index, and checks such a folder. */
import { absolutePath, isForeignPath } from '../../lib/runtime/files/files'
import { installationId } from '../../lib/runtime/files/installation'
import { realPathOf } from '../../lib/runtime/files/real-path'
import { removeUnfinished } from '../../lib/runtime/files/unfinished'
import { reportOccurrence } from '../../lib/runtime/monitor/occurrences'
import { hosted } from '../../lib/runtime/node-red/host'
import type { Runtime } from '../../lib/runtime/node-red/node-red'
import { apiNode, type NodeModule } from '../../lib/runtime/node/api-node'
import { openStore } from '../../lib/store/open'
import { archiveDocument } from './archive-document'
import { fields } from './archive.fields'
import { archivingCall, type ArchiveCall } from './archive-call'
import { checkArchive } from './check-archive'
import { createMemory, type Memory } from './memory'
import { createParts, type Archive } from './place'

const load: NodeModule = (RED) => {
  const parts = hosted(RED, createParts)
  const memory = (parts.memory ??= openMemory(RED))
  void removeUnfinished(RED.settings.userDir)
  apiNode('eid-archive', fields, async (given) => {
    const call = given.values.operation === 'archive' ? archivingCall(given) : given
    const place = { ...(await archiveOf(call)), memory, parts }
    if (call.values.operation === 'check') return checkArchive(call, place)
    const patch = await archiveDocument(call, place)
    reportOccurrence(RED, { what: 'saved', documentId: call.values.documentId ?? '' })
    return patch
  })(RED)
}

export = load

/** Opens the memory, which belongs to no node: every node with the same folder must see the same. */
function openMemory({ settings: { userDir } }: Runtime): Memory {
  const host = { nodeId: 'eid-archive', userDir }
  // If the memory fails, the message that needed it fails.
  return createMemory((kind) => openStore(host, { kind }))
}

/** Returns the archive's folder for this message, and the index of this installation. */
async function archiveOf(call: ArchiveCall): Promise<Pick<Archive, 'folder' | 'real' | 'index'>> {
  const { archiveFolder = '' } = call.values
  call.check(isForeignPath(archiveFolder) ? [{ path: 'archiveFolder', key: 'foreignTarget' }] : [])
  const folder = absolutePath(archiveFolder, call.workingDirectory)
  const index = `index-${await installationId(call.userFolder)}.jsonl`
  return { folder, real: await realPathOf(folder), index }
}
