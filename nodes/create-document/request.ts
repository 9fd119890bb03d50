/** Builds the create-document request from the form (`interface.md` 2.1, 4.2). */
import { mobileOf } from '../../lib/runtime/service/mobile'
import { compact, overlay } from '../../lib/runtime/values/body'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { splitList } from '../../lib/common/split-list'
import { getPath } from '../../lib/runtime/values/read-text'
import { derivedId } from '../../lib/runtime/service/derived-id'
import { toItems } from '../../lib/runtime/values/list-items'
import type { Values } from '../../lib/settings/fields'
import type { fields } from './create-document.fields'
import { toFormFields } from './questions'
import { toReminder } from './reminders'
import { setupOf, toTexts } from './texts'

export type CreateValues = Values<typeof fields>
type SignerRow = Values<(typeof fields)['signers']['rows']>

/**
 * Builds the request: the form's values override *More fields*, which override `base`. A row of the form's list
 * overrides the partial signer at the same position in *More fields*; the rest of that signer stays. The settings for
 * all signers are left to `withCommon`.
 */
export function toRequest(values: CreateValues, dataToSign: PlainObject | undefined, base: PlainObject): PlainObject {
  const form = compact({
    title: values.title,
    description: values.description,
    dataToSign: {
      ...dataToSign,
      convertToPDF: values.convertToPdf ?? dataToSign?.convertToPDF,
      packaging: { signaturePackageFormats: splitList(values.packaging) },
    },
    contactDetails: { email: values.contactEmail },
    signers: signersOf(values),
    notification: toNotification(values),
    advanced: {
      tags: splitList(values.tags),
      requiredSignatures: values.requiredSignatures,
      attachments: values.attachments,
      timeToLive: {
        deadline: values.deadline,
        deleteAfterHours: values.keepDays === undefined ? undefined : values.keepDays * 24,
      },
    },
  })
  const more = values.more ?? {}
  const request = overlay(overlay(base, more), form)
  return Array.isArray(form.signers) && Array.isArray(more.signers)
    ? { ...request, signers: laidUnder(more.signers as unknown[], form.signers as unknown[]) }
    : request
}

/**
 * Returns the signers: the rows of the form, or another list's signers; a signer without an id gets a generated one.
 */
function signersOf({ signers, ...values }: CreateValues): unknown[] | undefined {
  const items = toItems(signers, (row, index) => toSigner(row, index, values))
  if (signers?.from !== 'elsewhere') return items
  return items?.map((one, index) => {
    if (!isPlainObject(one)) return one
    const request = getPath(one, 'notifications.setup.request')
    const setup = compact(noticesOf(values, typeof request === 'string' ? request : undefined))
    const notices = Object.keys(setup).length > 0 ? { notifications: { setup } } : {}
    return { ...idOf(one, index), ...overlay(notices, one) }
  })
}

/**
 * Returns the settings for later notices. A signer gets them through the same channel as the signing request; a signer
 * who does not get the request gets no notices.
 */
function noticesOf(values: Omit<CreateValues, 'signers'>, request: string | undefined): PlainObject {
  const channel = request?.toLowerCase() === 'off' ? undefined : request
  const receipt = values.receipts ? channel : undefined
  return {
    reminder: values.remindOn === undefined ? undefined : channel,
    signatureReceipt: receipt,
    finalReceipt: receipt,
    ...setupOf(values, channel),
  }
}

function idOf(signer: PlainObject, index: number): PlainObject {
  const { firstName, lastName, email, mobile } = isPlainObject(signer.signerInfo) ? signer.signerInfo : {}
  const person = { firstName, lastName, email, mobileNumber: getPath(mobile, 'number') }
  return { externalSignerId: `signer-${index + 1}-${derivedId(person)}` }
}

/** Merges each item over the item at the same position in `below`; items that exist only in `below` stay. */
function laidUnder(below: unknown[], above: unknown[]): unknown[] {
  const both = above.map((one, index) => {
    const under = below[index]
    return isPlainObject(under) && isPlainObject(one) ? overlay(under, one) : one
  })
  return [...both, ...below.slice(above.length)]
}

function toSigner(row: SignerRow, index: number, values: Omit<CreateValues, 'signers'>): PlainObject {
  // Signers with an e-mail address are notified by e-mail, unless the row says otherwise.
  const request = row.notification ?? (row.email === undefined ? undefined : 'sendEmail')
  return compact({
    externalSignerId: row.externalSignerId ?? `signer-${index + 1}-${derivedId(row)}`,
    order: row.order,
    required: row.required,
    signatureType: { mechanism: row.mechanism, signatureMethods: splitList(row.methods) },
    signerInfo: {
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      // A list often has the country code in each row, even for a person without a number, so it is sent only with a
      // number.
      mobile: row.mobileNumber === undefined ? undefined : mobileOf(row.mobileCountryCode, row.mobileNumber),
    },
    authentication: { mechanism: row.authentication },
    redirectSettings: redirectOf(row),
    notifications: {
      setup: { request, ...noticesOf(values, request) },
    },
    ui: { language: row.language, styling: stylingOf(row) },
  })
}

type Look = Pick<CreateValues, 'colorTheme' | 'themeMode' | 'spinner' | 'topBar' | 'backgroundColor'>
type Ways = Pick<CreateValues, 'redirectMode' | 'successUrl' | 'cancelUrl' | 'errorUrl' | 'domain'>

const stylingOf = ({ colorTheme, themeMode, spinner, topBar, backgroundColor }: Look): PlainObject => ({
  colorTheme,
  themeMode,
  spinner,
  topBar,
  backgroundColor,
})

const redirectOf = ({ redirectMode, successUrl, cancelUrl, errorUrl, domain }: Ways): PlainObject => ({
  redirectMode,
  success: successUrl,
  cancel: cancelUrl,
  error: errorUrl,
  domain,
})

/**
 * Builds the part `notification` of the request: reminders by the service itself, copies of the signed file, and the
 * sender's own texts.
 */
function toNotification(values: CreateValues): PlainObject {
  const rows = values.signers?.from === 'form' ? values.signers.rows : []
  const language = rows.find((row) => row.language)?.language ?? 'EN'
  const reminder = toReminder(values)
  const additionalRecipients = splitList(values.signedFileTo)?.map((email) => ({ language, email }))
  return overlay(toTexts(values), {
    ...(reminder && { reminder }),
    ...(additionalRecipients && { finalReceipt: { includeSignedFile: true, additionalRecipients } }),
  })
}

/**
 * The form's settings for all signers: appearance, dialogs and return addresses. Empty parts are left out, so that the
 * account's theme applies.
 */
export function commonOf(values: CreateValues): PlainObject {
  return compact({
    ui: {
      styling: stylingOf(values),
      dialogs: {
        before: {
          useCheckBox: values.beforeUseCheckBox,
          title: values.beforeTitle,
          message: values.beforeMessage,
          formFields: toFormFields(values),
        },
        after: { title: values.afterTitle, message: values.afterMessage },
      },
    },
    redirectSettings: redirectOf(values),
  })
}

/** Values that the service requires for each signer; they are used if neither the form nor the signer provides them. */
const listedSigner = {
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
}

/** Adds the common settings to each signer; the signer's own values take precedence. */
export function withCommon(body: PlainObject, common: PlainObject, signersAreListed: boolean): PlainObject {
  const below = signersAreListed ? overlay(listedSigner, common) : common
  if (Object.keys(below).length === 0 || !Array.isArray(body.signers)) return body
  const signers = body.signers.map((one: unknown) => (isPlainObject(one) ? overlay(below, one) : one))
  return { ...body, signers }
}
