/** The pages and calls of the signer app, on the sandbox's own origin. */
import { notFound } from '../server/answers'
import type { Answer, Call, Route } from '../server/call'
import { buildFile, fileOf, fileOfAttachment, type BuiltFile } from '../signature/build-file'
import { findAttachment } from '../signature/find'
import type { Signer } from '../signature/state'
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
import { identifySigner, refuseUnknown } from './identify'
import { frameAncestors } from './messages'
import { findSignerContext } from './session'
import { startSigning } from './start'
import { isFor } from './viewer'

const act = (name: string, handle: Route['handle']): Route => ({
  method: 'POST',
  path: `/sign/:token/${name}`,
  open: true,
  handle,
})

export const signerRoutes: readonly Route[] = [
  { method: 'GET', path: '/sign/start', open: true, handle: startSigning },
  { method: 'GET', path: '/sign/:token/file', open: true, handle: showFile },
  { method: 'GET', path: '/sign/:token/signed', open: true, handle: showSigned },
  { method: 'GET', path: '/sign/:token/attachments/:attachmentId', open: true, handle: showAttachment },
  act('sign', within(signDocument)),
  act('cancel', within(cancelSigning)),
  act('fail', within(failSigning)),
  act('read', within(readDocument)),
  act('method', within(chooseMethod)),
  act('language', within(chooseLanguage)),
  act('renew', within(renew)),
  act('identify', identifySigner),
]

/** `GET /sign/{token}/file`: the original, for the viewer. */
async function showFile(call: Call, world: World): Promise<Answer> {
  const { document, signer } = findSignerContext(call.param('token'), world)
  if (document.status === 'canceled' || document.status === 'expired') throw notFound('file')
  refuseUnknown(signer)
  return answerFile(await buildFile(fileOf(document), 'unsigned'), signer)
}

/** `GET /sign/{token}/signed`: the signed document, for its signers. */
async function showSigned(call: Call, world: World): Promise<Answer> {
  const { document, signer } = findSignerContext(call.param('token'), world)
  if (!document.completedPackages.includes('native')) throw notFound('signed file', 'FILE_NOT_READY')
  const format = document.completedPackages.includes('pades') ? 'pades' : 'standard_packaging'
  return answerFile(await buildFile(fileOf(document), format), signer)
}

/** `GET /sign/{token}/attachments/{attachmentId}` */
async function showAttachment(call: Call, world: World): Promise<Answer> {
  const { document, signer } = findSignerContext(call.param('token'), world)
  const attachment = findAttachment(call, document)
  if (!isFor(attachment, signer)) throw notFound('attachment')
  refuseUnknown(signer)
  return answerFile(await buildFile(fileOfAttachment(document, attachment), 'unsigned'), signer)
}

/** Only PDFs and texts are shown; other files are saved. */
function answerFile(file: BuiltFile | undefined, signer: Signer): Answer {
  if (!file) throw notFound('file')
  const shown = /^(application\/pdf|text\/plain)/.test(file.type)
  const headers = {
    'Content-Disposition': shown ? 'inline' : 'attachment',
    'Content-Security-Policy': `frame-ancestors 'self' ${frameAncestors(signer).replace("'none'", '')}`.trim(),
    'X-Content-Type-Options': 'nosniff',
  }
  return { buffer: file.bytes, type: file.type, headers }
}
