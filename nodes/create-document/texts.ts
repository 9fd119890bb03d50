/** The sender's own texts for the e-mails and SMS that the service sends. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { compact } from '../../lib/runtime/values/body'
import type { PlainObject } from '../../lib/common/plain-object'
import type { Values } from '../../lib/settings/fields'
import type { Occasion, textRow } from './lists.fields'
import type { fields } from './create-document.fields'

type Row = Values<typeof textRow>
type Texts = Pick<Values<typeof fields>, 'texts'>

/** For each occasion: the name of its section in the request, and the signer's setting that turns its notice on. */
export const places: Readonly<Record<Occasion, { readonly section: string; readonly setup: string }>> = {
  request: { section: 'signRequest', setup: 'request' },
  reminder: { section: 'reminder', setup: 'reminder' },
  signed: { section: 'signatureReceipt', setup: 'signatureReceipt' },
  allSigned: { section: 'finalReceipt', setup: 'finalReceipt' },
  canceled: { section: 'canceledReceipt', setup: 'canceled' },
  expired: { section: 'expiredReceipt', setup: 'expired' },
}

/** Returns the sections of `notification` for which the sender has written texts. */
export function toTexts(values: Texts): PlainObject {
  if (rowsOf(values).length === 0) return {}
  const sections = Object.entries(places).map(([occasion, { section }]) => {
    const rows = rowsOf(values).filter((row) => row.occasion === occasion)
    const email = rows.flatMap(({ language, subject, text, sender }) =>
      subject === undefined && text === undefined ? [] : [compact({ language, subject, text, senderName: sender })],
    )
    const sms = rows.flatMap(({ language, smsText, sender }) =>
      smsText === undefined ? [] : [compact({ language, text: smsText, sender })],
    )
    return [section, { ...(email.length > 0 && { email }), ...(sms.length > 0 && { sms }) }] as const
  })
  return Object.fromEntries(sections.filter(([, section]) => Object.keys(section).length > 0))
}

/**
 * Turns on the notices for which the sender has written a text: they are sent through the same channel as the signing
 * request.
 */
export function setupOf(values: Texts, channel: string | undefined): PlainObject {
  const written = rowsOf(values).flatMap(({ occasion }) => (occasion ? [places[occasion as Occasion].setup] : []))
  return Object.fromEntries(written.filter((one) => one !== 'request').map((one) => [one, channel]))
}

/** Finds rows without content, and second texts for the same language: the service might use either of the two. */
export function textProblems(values: Texts): ProblemKey[] {
  const rows = rowsOf(values)
  const isMail = ({ subject, text }: Row) => subject !== undefined || text !== undefined
  const isSms = ({ smsText }: Row) => smsText !== undefined
  return rows.flatMap((row, index): ProblemKey[] => {
    if (!isMail(row) && !isSms(row)) return [{ path: `texts[${index}].text`, key: 'textOrSms' }]
    const first = rows.findIndex(
      (one) =>
        one.occasion === row.occasion &&
        one.language?.toLowerCase() === row.language?.toLowerCase() &&
        ((isMail(one) && isMail(row)) || (isSms(one) && isSms(row))),
    )
    return first < index
      ? [{ path: `texts[${index}].language`, key: 'repeatedText', params: { first: first + 1 } }]
      : []
  })
}

const rowsOf = ({ texts }: Texts): readonly Row[] => (texts?.from === 'form' ? texts.rows : [])
