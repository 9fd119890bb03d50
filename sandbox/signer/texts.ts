/** What the signer app says, in English and Norwegian. */

const english = {
  code: 'EN',
  lang: 'en',
  sandbox: 'en' as 'en' | 'no',
  app: 'Signing',
  language: 'Language',
  document: 'Document',
  open: 'Open the original',
  openSigned: 'Download the signed document',
  signatures: 'Signed by',
  noViewer: 'This kind of file cannot be shown here.',
  cut: 'Only the beginning is shown.',
  method: 'How do you want to sign?',
  sign: 'Sign',
  cancel: 'Cancel',
  fail: 'Let it fail',
  failHint: 'The sandbox offers this so that you can see what an error does.',
  understood: 'I have read and understood the text',
  proceed: 'Continue',
  back: 'Back',
  close: 'Close',
  working: 'Signing …',
  signed: 'Signed. You can close this page.',
  canceled: 'You have canceled. The document is not signed.',
  failed: 'Something went wrong. The document is not signed.',
  ended: 'Your session has ended. Reload the page to go on.',
  expired: 'The deadline for this document has passed.',
  alreadySigned: 'This document is already signed.',
  documentCanceled: 'The sender has canceled this document.',
  waiting: 'You cannot sign yet: others, or attachments, come first.',
  outdated: 'Your browser is too old for this page.',
  unknown: 'There is no document behind this link.',
}

export type Texts = Readonly<typeof english>

const norwegian: Texts = {
  code: 'NO',
  lang: 'nb',
  sandbox: 'no',
  app: 'Signering',
  language: 'Språk',
  document: 'Dokument',
  open: 'Åpne originalen',
  openSigned: 'Last ned det signerte dokumentet',
  signatures: 'Signert av',
  noViewer: 'Denne typen fil kan ikke vises her.',
  cut: 'Bare begynnelsen vises.',
  method: 'Hvordan vil du signere?',
  sign: 'Signer',
  cancel: 'Avbryt',
  fail: 'La det feile',
  failHint: 'Sandkassen tilbyr dette så du kan se hva en feil fører til.',
  understood: 'Jeg har lest og forstått teksten',
  proceed: 'Fortsett',
  back: 'Tilbake',
  close: 'Lukk',
  working: 'Signerer …',
  signed: 'Signert. Du kan lukke denne siden.',
  canceled: 'Du har avbrutt. Dokumentet er ikke signert.',
  failed: 'Noe gikk galt. Dokumentet er ikke signert.',
  ended: 'Økten din er avsluttet. Last siden på nytt for å fortsette.',
  expired: 'Fristen for dette dokumentet er ute.',
  alreadySigned: 'Dette dokumentet er allerede signert.',
  documentCanceled: 'Avsenderen har avbrutt dette dokumentet.',
  waiting: 'Du kan ikke signere ennå: andre, eller vedlegg, kommer først.',
  outdated: 'Nettleseren din er for gammel for denne siden.',
  unknown: 'Det finnes ikke noe dokument bak denne lenken.',
}

/** The languages the app can be switched to. */
export const languages = [
  { code: 'EN', name: 'English' },
  { code: 'NO', name: 'Norsk' },
]

/** The texts of a language code, in any case; English for those that are not there. */
export function textsFor(code: string): Texts {
  return code.toUpperCase() === 'NO' ? norwegian : english
}
