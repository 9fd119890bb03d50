/** The simulated share calls, in both families of paths (`docs/interface.md` 4.5, 4.6). */
import type { Panel } from '../admin/panel-type'
import type { Answer, Call, Route, Routes } from '../server/call'
import type { World } from '../world'
import { createShare } from './create'
import { sharePanel } from './panel'
import { recipientRoutes } from './recipient-visit'
import { shareRecord } from './record'
import { findShare, uploadFile } from './upload'

const create = (path: string): Route => ({ method: 'POST', path, scope: 'share_write', handle: createShare })
const read = (path: string): Route => ({ method: 'GET', path, scope: 'share_read', handle: getShare })
const upload = (path: string): Route => ({
  method: 'POST',
  path,
  scope: 'share_write',
  stream: true,
  handle: uploadFile,
})

export const shareRoutes = {
  createBucket: create('/share/buckets'),
  createShare: create('/share'),
  getBucket: read('/share/buckets/:id'),
  getShare: read('/share/:id'),
  uploadToBucket: upload('/share/buckets/:id/upload/:contentId'),
  uploadToShare: upload('/share/:id/upload/:contentId'),
  uploadFileToShare: upload('/share/:id/file/:contentId'),
} satisfies Partial<Routes>

/** Pages and control room calls of this area. */
export const sharePages: readonly Route[] = [upload('/share/buckets/:id/file/:contentId'), ...recipientRoutes]

/** What the control room shows of this area. */
export const sharePanels: readonly Panel[] = [sharePanel]

function getShare(call: Call, world: World): Answer {
  return { json: shareRecord(findShare(call, world), world) }
}
