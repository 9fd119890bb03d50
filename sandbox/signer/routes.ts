/** The pages and calls of the signer app, on the sandbox's own origin. */
import { notFound } from '../server/answers'
import type { Answer, Call, Route } from '../server/call'
import { buildFile, fileOf } from '../signature/build-file'
import type { World } from '../world'
import {
  cancelSigning,
  chooseLanguage,
  chooseMethod,
  failSigning,
  readDocument,
  renew,
  signDocument,
  within,
} from './actions'
import { frameAncestors } from './messages'
import { findVisit } from './session'
import { startSigning } from './start'

const act = (name: string, handle: Route['handle']): Route => ({
  method: 'POST',
  path: `/sign/:token/${name}`,
  open: true,
  handle,
})

export const signerRoutes: readonly Route[] = [
  { method: 'GET', path: '/sign/start', open: true, handle: startSigning },
  { method: 'GET', path: '/sign/:token/file', open: true, handle: showFile },
  act('sign', within(signDocument)),
  act('cancel', within(cancelSigning)),
  act('fail', within(failSigning)),
  act('read', within(readDocument)),
  act('method', within(chooseMethod)),
  act('language', within(chooseLanguage)),
  act('renew', within(renew)),
]

/** `GET /sign/{token}/file`: the original, for the viewer. Only PDFs and texts are shown, the rest is saved. */
async function showFile(call: Call, world: World): Promise<Answer> {
  const { document, signer } = findVisit(call.param('token'), world)
  const file = await buildFile(fileOf(document), 'unsigned')
  if (!file) throw notFound('file')
  const shown = /^(application\/pdf|text\/plain)/.test(file.type)
  const headers = {
    'Content-Disposition': shown ? 'inline' : 'attachment',
    'Content-Security-Policy': `frame-ancestors 'self' ${frameAncestors(signer).replace("'none'", '')}`.trim(),
    'X-Content-Type-Options': 'nosniff',
  }
  return { buffer: file.bytes, type: file.type, headers }
}
