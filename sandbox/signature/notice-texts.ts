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
  sv: {
    request: { subject: 'Att signera', text: 'Du har ett dokument att signera:' },
    reminder: { subject: 'Påminnelse om att signera', text: 'Det här dokumentet väntar fortfarande på din signatur:' },
    signatureReceipt: { subject: 'Du har signerat', text: 'Din signatur har tagits emot på:' },
    finalReceipt: { subject: 'Signerat av alla', text: 'Alla signaturer finns på:' },
    canceled: { subject: 'Avbrutet', text: 'Du behöver inte längre signera det här dokumentet:' },
    expired: { subject: 'Tidsfristen har gått ut', text: 'Tidsfristen har gått ut för:' },
  },
  da: {
    request: { subject: 'Til underskrift', text: 'Du har et dokument, der skal underskrives:' },
    reminder: { subject: 'Påmindelse om underskrift', text: 'Dette dokument venter stadig på din underskrift:' },
    signatureReceipt: { subject: 'Du har skrevet under', text: 'Din underskrift er modtaget på:' },
    finalReceipt: { subject: 'Underskrevet af alle', text: 'Alle underskrifter er på plads på:' },
    canceled: { subject: 'Annulleret', text: 'Du behøver ikke længere at skrive under på dette dokument:' },
    expired: { subject: 'Udløbet', text: 'Fristen er udløbet for:' },
  },
  fi: {
    request: { subject: 'Allekirjoitettavaksi', text: 'Sinulla on allekirjoitettava asiakirja:' },
    reminder: { subject: 'Muistutus allekirjoituksesta', text: 'Tämä asiakirja odottaa yhä allekirjoitustasi:' },
    signatureReceipt: { subject: 'Olet allekirjoittanut', text: 'Allekirjoituksesi on vastaanotettu:' },
    finalReceipt: { subject: 'Kaikki ovat allekirjoittaneet', text: 'Kaikki allekirjoitukset on saatu:' },
    canceled: { subject: 'Peruutettu', text: 'Sinun ei enää tarvitse allekirjoittaa tätä asiakirjaa:' },
    expired: { subject: 'Määräaika umpeutunut', text: 'Määräaika on umpeutunut:' },
  },
  de: {
    request: { subject: 'Bitte unterschreiben', text: 'Sie haben ein Dokument zu unterschreiben:' },
    reminder: {
      subject: 'Erinnerung: bitte unterschreiben',
      text: 'Dieses Dokument wartet noch auf Ihre Unterschrift:',
    },
    signatureReceipt: { subject: 'Sie haben unterschrieben', text: 'Ihre Unterschrift ist eingegangen für:' },
    finalReceipt: { subject: 'Von allen unterschrieben', text: 'Alle Unterschriften liegen vor für:' },
    canceled: { subject: 'Abgebrochen', text: 'Sie müssen dieses Dokument nicht mehr unterschreiben:' },
    expired: { subject: 'Abgelaufen', text: 'Die Frist ist abgelaufen für:' },
  },
  nl: {
    request: { subject: 'Te ondertekenen', text: 'U hebt een document te ondertekenen:' },
    reminder: { subject: 'Herinnering: te ondertekenen', text: 'Dit document wacht nog op uw handtekening:' },
    signatureReceipt: { subject: 'U hebt ondertekend', text: 'Uw handtekening is ontvangen op:' },
    finalReceipt: { subject: 'Door iedereen ondertekend', text: 'Alle handtekeningen staan op:' },
    canceled: { subject: 'Geannuleerd', text: 'U hoeft dit document niet meer te ondertekenen:' },
    expired: { subject: 'Verlopen', text: 'De termijn is verstreken voor:' },
  },
}
