/** The control room's actions on a document in a person's place: sign, leave, remind, cancel, view. */
import { notFound } from '../server/answers'
import type { Answer, Call, Route } from '../server/call'
import { textIn } from '../server/json'
import { cancelSigning, signDocument, within } from '../signer/actions'
import type { World } from '../world'
import { getDocumentFile } from './files'
import { findDocument } from './find'
import { tellSigner } from './notices'
import { isTurn } from './signers'
import { cancel } from './transitions'

const at = (method: 'GET' | 'POST', action: string, handle: Route['handle']): Route => {
  return { method, path: `/sandbox/documents/:id/${action}`, admin: true, handle }
}

export const documentRoomRoutes: readonly Route[] = [
  at('POST', 'sign', asSigner(within(signDocument))),
  at('POST', 'leave', asSigner(within(cancelSigning))),
  at('POST', 'remind', remind),
  at('POST', 'cancel', cancelDocument),
  at('GET', 'file', showFile),
]

/** Acts as the signer given by `signerId` in the body, as if from the signer's own page. */
function asSigner(handle: Route['handle']): Route['handle'] {
  return (call, world) => {
    const signer = findDocument(call, world).signers.find(({ id }) => id === textIn(call.json().signerId))
    if (!signer) throw notFound('signer')
    // The call is handled as if the signer's page had just been opened, because a page that was opened long ago would
    // be refused.
    signer.session = undefined
    signer.identified = true
    return handle({ ...call, param: (name) => (name === 'token' ? signer.token : call.param(name)) }, world)
  }
}

/** Reminds everyone whose turn it is, by e-mail and SMS as far as their addresses are known. */
function remind(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  for (const signer of document.signers) {
    if (!signer.signature && isTurn(signer, document)) tellSigner('reminder', signer, document, world, 'sendBoth')
  }
  return { status: 204 }
}

function cancelDocument(call: Call, world: World): Answer {
  cancel(findDocument(call, world), 'Canceled in the control room', world)
  return { status: 204 }
}

/** The file of a document. A frame of the page shows PDFs, XML and texts; a link with `download` saves the file. */
async function showFile(call: Call, world: World): Promise<Answer> {
  const answer = await getDocumentFile(call, world)
  const isShown = /^(application\/pdf|application\/xml|text\/plain)/.test(answer.type ?? '')
  // A stricter policy would block the browser's PDF viewer. The viewer runs no script from the file in the page.
  const isPdf = answer.type === 'application/pdf'
  const headers = {
    ...(isShown ? {} : answer.headers),
    'Content-Security-Policy': `${isPdf ? '' : "default-src 'none'; style-src 'unsafe-inline'; "}frame-ancestors 'self'`,
    'X-Content-Type-Options': 'nosniff',
  }
  return {
    ...answer,
    type: isShown
      ? (answer.type ?? '').replace('application/xml', 'text/plain; charset=utf-8')
      : 'application/octet-stream',
    headers,
  }
}
