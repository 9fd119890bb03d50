/** The simulated share calls, below `/share/buckets` and below `/share` (`docs/interface.md` 4.5, 4.6). */
import type { Panel } from '../admin/panel-type'
import type { Answer, Call, Handler, Method, Route, Routes } from '../server/call'
import type { World } from '../world'
import { changeShare, deleteShare, listShares } from './change'
import { createShare } from './create'
import { sharePanel } from './panel'
import {
  addRecipient,
  changeRecipient,
  getRecipient,
  listRecipients,
  notifyRecipients,
  removeRecipient,
} from './recipient-calls'
import { recipientRoutes } from './page-handlers'
import { shareRecord } from './record'
import { shareRoomRoutes } from './room-calls'
import { findShare, uploadFile } from './upload'

const read = (path: string, handle: Handler): Route => ({ method: 'GET', path, scope: 'share_read', handle })
const write = (method: Method, path: string, handle: Handler): Route => ({ method, path, scope: 'share_write', handle })
const upload = (path: string): Route => ({ ...write('POST', path, uploadFile), stream: true })

/** The calls for an existing share. The service offers these calls below two paths; `family` is one of these paths. */
const callsBelow = (family: string) => ({
  changeShare: write('PATCH', `${family}/:id`, changeShare),
  deleteShare: write('DELETE', `${family}/:id`, deleteShare),
  listRecipients: read(`${family}/:id/recipients`, listRecipients),
  addRecipient: write('POST', `${family}/:id/recipients`, addRecipient),
  getRecipient: read(`${family}/:id/recipients/:recipientId`, getRecipient),
  changeRecipient: write('PATCH', `${family}/:id/recipients/:recipientId`, changeRecipient),
  removeRecipient: write('DELETE', `${family}/:id/recipients/:recipientId`, removeRecipient),
  notifyRecipients: write('POST', `${family}/:id/resendNotificationToRecipient/:recipientId`, notifyRecipients),
})

export const shareRoutes = {
  createBucket: write('POST', '/share/buckets', createShare),
  createShare: write('POST', '/share', createShare),
  listShares: read('/share/buckets', listShares),
  getBucket: read('/share/buckets/:id', getShare),
  getShare: read('/share/:id', getShare),
  ...callsBelow('/share/buckets'),
  uploadToBucket: upload('/share/buckets/:id/upload/:contentId'),
  uploadToShare: upload('/share/:id/upload/:contentId'),
  uploadFileToShare: upload('/share/:id/file/:contentId'),
} satisfies Partial<Routes>

/** Further paths of the calls, the pages for recipients, and the calls of the control room. */
export const sharePages: readonly Route[] = [
  upload('/share/buckets/:id/file/:contentId'),
  ...Object.values(callsBelow('/share')),
  ...recipientRoutes,
  ...shareRoomRoutes,
]

/** The control room panels of this area. */
export const sharePanels: readonly Panel[] = [sharePanel]

function getShare(call: Call, world: World): Answer {
  return { json: shareRecord(findShare(call, world), world) }
}
