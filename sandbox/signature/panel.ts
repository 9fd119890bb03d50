/** The control room's panel of documents: their state, and a link to each signer's page. */
import type { Panel } from '../admin/panel-type'
import { escape } from '../pages/html'
import type { World } from '../world'
import { documentRecord } from './record'
import type { SignatureDocument, Signer } from './state'

const SHOWN = 30

export const documentPanel: Panel = {
  id: 'documents',
  title: 'Documents',
  render,
  state: (world) => [...world.signature.documents.values()].map(documentRecord),
}

function render(world: World): string {
  const all = [...world.signature.documents.values()]
  if (all.length === 0) return '<p class="quiet">No documents yet. Send one with a “create document” node.</p>'
  const rows = all.slice(-SHOWN).reverse().map(showDocument)
  return `<table><thead><tr><th scope="col">Document</th><th scope="col">State</th><th scope="col">Signers</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>${all.length > SHOWN ? `<p class="quiet">The latest ${SHOWN} of ${all.length}.</p>` : ''}`
}

function showDocument(document: SignatureDocument): string {
  const title = escape(document.title || document.externalId)
  return `<tr><td>${title}<br><code class="quiet">${escape(document.externalId)}</code></td>
<td><span class="state ${document.status}">${escape(document.status)}</span></td>
<td>${document.signers.map(showSigner).join('')}</td></tr>`
}

function showSigner(signer: Signer): string {
  const name = escape(signer.externalSignerId)
  return `<div><a href="${escape(signer.url)}" target="_blank" rel="noopener">${name}</a> ${signer.signature ? '<span class="good">signed</span>' : ''}</div>`
}
