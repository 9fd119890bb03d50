/** The texts of e-mails and SMS to signers, in the service's languages. */
import type { PageLanguage } from '../pages/languages'

export type Occasion = 'request' | 'reminder' | 'signatureReceipt' | 'finalReceipt' | 'canceled' | 'expired'

export interface Wording {
  readonly subject: string
  readonly text: string
}

export const noticeTexts: Readonly<Record<PageLanguage, Readonly<Record<Occasion, Wording>>>> = {
  en: {
    request: { subject: 'Please sign', text: 'You have a document to sign:' },
    reminder: { subject: 'Reminder: please sign', text: 'This document is still waiting for your signature:' },
    signatureReceipt: { subject: 'You have signed', text: 'Your signature was received on:' },
    finalReceipt: { subject: 'Signed by everyone', text: 'All signatures are in place on:' },
    canceled: { subject: 'Canceled', text: 'You no longer need to sign this document:' },
    expired: { subject: 'Expired', text: 'The deadline has passed for:' },
  },
  no: {
    request: { subject: 'Til signering', text: 'Du har fått et dokument til signering:' },
    reminder: { subject: 'Påminnelse om signering', text: 'Dette dokumentet venter fortsatt på signaturen din:' },
    signatureReceipt: { subject: 'Du har signert', text: 'Signaturen din er mottatt for:' },
    finalReceipt: { subject: 'Signert av alle', text: 'Alle har signert:' },
    canceled: { subject: 'Trukket tilbake', text: 'Du trenger ikke lenger å signere dette dokumentet:' },
    expired: { subject: 'Utløpt', text: 'Fristen er ute for:' },
  },
}
