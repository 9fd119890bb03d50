/** Builds changes of a document, a signer or an attachment (`docs/interface.md` 2.1). */
import { mobileOf } from '../../lib/runtime/service/mobile'
import { layForm, overlay } from '../../lib/runtime/values/body'
import type { PlainObject } from '../../lib/common/plain-object'
import { derivedId } from '../../lib/runtime/service/derived-id'
import { splitList } from '../../lib/common/split-list'
import type { DocumentCall } from './document-call'

/** Builds a change from the filled-in fields only: fields that are absent stay unchanged at the service. */
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

/**
 * Builds a new signer. Where the form is empty, the signer gets the same defaults as in *create document*: an id, a way
 * to sign, and a notice by e-mail if there is an e-mail address.
 */
export function toNewSigner(call: DocumentCall): PlainObject {
  const { values } = call
  const signer = toSigner(call)
  const { firstName, lastName, email, mobileNumber } = values
  const isInForm = [firstName, lastName, email, mobileNumber].some((one) => one !== undefined)
  const usual = {
    externalSignerId: `signer-${derivedId(values)}`,
    signatureType: { mechanism: 'pkisignature' },
    ...(email !== undefined && { notifications: { setup: { request: 'sendEmail' } } }),
  }
  // By default there are no return addresses, because most documents are signed from the link in the e-mail.
  const back = { redirectSettings: { redirectMode: 'donot_redirect' } }
  if (isInForm) return overlay({ ...back, ...usual }, signer)
  // A signer that the message brings is sent as it is.
  return Object.keys(call.body({})).length > 0 ? signer : overlay(back, signer)
}

/** Builds one signer from the form, for a new signer or for a change. */
export function toSigner({ values, body }: DocumentCall): PlainObject {
  const form = {
    externalSignerId: values.externalSignerId,
    order: values.order,
    signatureType: { mechanism: values.mechanism },
    signerInfo: {
      firstName: values.firstName,
      lastName: values.lastName,
      email: values.email,
      mobile: mobileOf(values.mobileCountryCode, values.mobileNumber),
    },
    notifications: { setup: { request: values.notification } },
  }
  return layForm(body({}), values.more, form)
}

/** Builds an attachment, with its bytes in base64 and its file name if the form provides them. */
export function toAttachment(
  { values, body }: DocumentCall,
  file: { readonly data?: string; readonly fileName?: string },
): PlainObject {
  const { title, description, attachmentType: type, attachmentSigners, more } = values
  return layForm(body({}), more, { title, description, type, signers: splitList(attachmentSigners), ...file })
}
