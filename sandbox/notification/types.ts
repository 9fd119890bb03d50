/** The types of events, and mock events that a caller requests. */
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { textIn } from '../server/json'
import type { World } from '../world'
import { publish } from './publish'

const described: Readonly<Record<string, string>> = {
  document_created: 'A document was created.',
  document_link_opened: 'A signer opened the link.',
  document_read: 'A signer read the document.',
  document_partially_signed: 'A signer signed; others still have to sign.',
  document_signed: 'All signatures are in.',
  document_packaged: 'The signed files are ready.',
  document_canceled: 'A document was canceled.',
  document_expired: 'A deadline passed.',
  document_before_deleted: 'A document is about to be deleted.',
  document_deleted: 'A document was deleted.',
  document_email_opened: 'A signer opened the e-mail.',
  document_form_partially_signed: 'A signer signed a form; others still have to sign.',
  document_form_signed: 'A form is signed.',
  resource_created: 'Something that was asked for is ready.',
  share_created: 'A share was registered.',
  share_recipients_authenticated: 'A recipient has identified.',
  share_recipient_downloaded: 'A recipient downloaded a file.',
  share_downloaded: 'Every recipient has downloaded everything.',
  share_expired: 'The access of all recipients has ended.',
  share_deleted: 'A share was deleted.',
  deposit_created: 'A deposit was created.',
  deposit_bank_account_created: 'The account of a tenant is open.',
  deposit_partially_funded: 'A part of the deposit is paid in.',
  deposit_fully_funded: 'The whole deposit is paid in.',
  deposit_terminated: 'A deposit has ended.',
}

/** `GET /notification/events/types` → [{id, name, description}] */
export function listEventTypes(): Answer {
  const list = Object.entries(described)
  return { json: list.map(([name, description], index) => ({ id: index + 1, name, description })) }
}

/** `POST /notification/events/mock` {eventType}: the event, tagged `mock`. */
export function mockEvent(call: Call, world: World): Answer {
  const eventType = textIn(call.json().eventType)
  if (!eventType) throw invalid([{ field: 'eventType', message: 'The field eventType is required.' }])
  return { json: publish(world, eventType, samplePayload(eventType), ['mock']) }
}

function samplePayload(type: string): Record<string, string> {
  const id = '00000000-0000-4000-8000-000000000000'
  if (type.startsWith('share_')) return { Id: id, ExternalId: 'mock' }
  if (type.startsWith('deposit_')) return { depositId: id, externalId: 'mock' }
  return { documentId: id, externalDocumentId: 'mock' }
}
