/** Words what changes a document, a signer or an attachment as the form describes it (`docs/interface.md` 2.1, 4.2). */
import { compact, overlay, type PlainObject } from '../../lib/runtime/body'
import { splitList } from '../../lib/runtime/read-text'
import type { DocumentCall } from './document-call'

type Values = DocumentCall['values']

/** Only what was filled in: whatever is absent stays as it is. */
export function toUpdate({ title, description, deadline, contactEmail, more }: Values): PlainObject {
  const form = {
    title,
    description,
    contactDetails: { email: contactEmail },
    advanced: { timeToLive: { deadline } },
  }
  return overlay(more ?? {}, compact(form))
}

/** One signer, new or changed. */
export function toSigner(values: Values): PlainObject {
  const form = {
    externalSignerId: values.externalSignerId,
    order: values.order,
    signatureType: { mechanism: values.mechanism },
    signerInfo: {
      firstName: values.firstName,
      lastName: values.lastName,
      email: values.email,
      mobile: { countryCode: values.mobileCountryCode, number: values.mobileNumber },
    },
    notifications: { setup: { request: values.notification } },
  }
  return overlay(values.more ?? {}, compact(form))
}

/** An attachment with its bytes in base64 and the name of its file, when the form brings them. */
export function toAttachment(values: Values, file: { data?: string; fileName?: string }): PlainObject {
  const { title, description, attachmentType: type, attachmentSigners } = values
  return overlay(
    values.more ?? {},
    compact({ title, description, type, signers: splitList(attachmentSigners), ...file }),
  )
}
