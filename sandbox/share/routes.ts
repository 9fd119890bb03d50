/** The simulated share calls. */
import { refuse } from '../server/answers'
import type { Method, Route, Routes } from '../server/call'
import type { Panel } from '../admin/panels'

const unavailable = (method: Method, path: string, scope: string): Route => ({
  method,
  path,
  scope,
  handle: () => {
    throw refuse(503, 'UNAVAILABLE', 'This call has no simulated answer.')
  },
})

export const shareRoutes = {
  createBucket: unavailable('POST', '/share/buckets', 'share_write'),
  createShare: unavailable('POST', '/share', 'share_write'),
  getBucket: unavailable('GET', '/share/buckets/:id', 'share_read'),
  getShare: unavailable('GET', '/share/:id', 'share_read'),
  uploadToBucket: unavailable('POST', '/share/buckets/:id/upload/:contentId', 'share_write'),
  uploadToShare: unavailable('POST', '/share/:id/upload/:contentId', 'share_write'),
  uploadFileToShare: unavailable('POST', '/share/:id/file/:contentId', 'share_write'),
} satisfies Routes<
  'createBucket' | 'createShare' | 'getBucket' | 'getShare' | 'uploadToBucket' | 'uploadToShare' | 'uploadFileToShare'
>

/** Pages and control room calls of this area. */
export const sharePages: readonly Route[] = []

/** What the control room shows of this area. */
export const sharePanels: readonly Panel[] = []
