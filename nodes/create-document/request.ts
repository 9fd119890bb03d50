/** Words the create-document request from the form (`interface.md` 2.1, 4.2). */
import { compact, isPlainObject, overlay, type PlainObject } from '../../lib/runtime/body'
import { splitList } from '../../lib/runtime/read-text'
import type { Values } from '../../lib/fields'
import type { fields } from './create-document.fields'

export type CreateValues = Values<typeof fields>
type Row = Readonly<Record<string, unknown>>

/** The request as the form says it; `dataToSign` is the file, when there is one. Signers do not carry the common look yet. */
export function requestOf(
  values: CreateValues,
  signersFromForm: boolean,
  dataToSign: PlainObject | undefined,
): PlainObject {
  const form = {
    title: values.title,
    description: values.description,
    dataToSign,
    contactDetails: { email: values.contactEmail },
    signers: signersFromForm ? values.signers?.map((row) => signerOf(row as Row)) : values.signers,
    advanced: { tags: splitList(values.tags), timeToLive: { deadline: values.deadline } },
  }
  return overlay(compact(values.more ?? {}), compact(form))
}

function signerOf(row: Row): PlainObject {
  return compact({
    externalSignerId: row.externalSignerId,
    order: row.order,
    signatureType: { mechanism: row.mechanism, signatureMethods: splitList(row.methods) },
    signerInfo: {
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      mobile: { countryCode: row.mobileCountryCode, number: row.mobileNumber },
    },
    notifications: { setup: { request: row.notification } },
    ui: { language: row.language },
  })
}

/** What the form says of every signer: look, dialogs and what comes after. Empty parts are left out, so that the account's theme applies. */
export function commonOf(values: CreateValues): PlainObject {
  return compact({
    ui: {
      styling: {
        colorTheme: values.colorTheme,
        themeMode: values.themeMode,
        spinner: values.spinner,
        topBar: values.topBar,
        backgroundColor: values.backgroundColor,
      },
      dialogs: {
        before: { useCheckBox: values.beforeUseCheckBox, title: values.beforeTitle, message: values.beforeMessage },
        after: { title: values.afterTitle, message: values.afterMessage },
      },
    },
    redirectSettings: {
      redirectMode: values.redirectMode,
      success: values.successUrl,
      cancel: values.cancelUrl,
      error: values.errorUrl,
      domain: values.domain,
    },
  })
}

/** What the service insists on for a signer from the form's list, when neither the form nor the row says it. */
const formSigner = {
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
}

/** The request with the common settings put under each signer's own; what a signer says of itself wins. */
export function withCommon(body: PlainObject, common: PlainObject, signersFromForm: boolean): PlainObject {
  const below = signersFromForm ? overlay(formSigner, common) : common
  if (Object.keys(below).length === 0 || !Array.isArray(body.signers)) return body
  const signers = body.signers.map((one: unknown) => (isPlainObject(one) ? overlay(below, one) : one))
  return { ...body, signers }
}
