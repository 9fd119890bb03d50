/** Words what changes a document, a signer or an attachment (`docs/interface.md` 2.1). */
import { layForm, type PlainObject } from '../../lib/runtime/body'
import { splitList } from '../../lib/runtime/read-text'
import type { DocumentCall } from './document-call'

/** Only what was filled in: whatever is absent stays as it is. */
export function toUpdate({ values, body }: DocumentCall): PlainObject {
  const { title, description, deadline, contactEmail, more } = values
  const form = {
    title,
    description,
    contactDetails: { email: contactEmail },
    advanced: { timeToLive: { deadline } },
  }
  return layForm(body({}), more, form)
}

/** One signer, new or changed. */
export function toSigner({ values, body }: DocumentCall): PlainObject {
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
  return layForm(body({}), values.more, form)
}

/** An attachment with its bytes in base64 and the name of its file, when the form brings them. */
export function toAttachment(
  { values, body }: DocumentCall,
  file: { readonly data?: string; readonly fileName?: string },
): PlainObject {
  const { title, description, attachmentType: type, attachmentSigners, more } = values
  return layForm(body({}), more, { title, description, type, signers: splitList(attachmentSigners), ...file })
}
