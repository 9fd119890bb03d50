/** What the recipient's pages say, in English and Norwegian. */

const english = {
  lang: 'en',
  app: 'Secure share',
  howToIdentify: 'How do you want to identify yourself?',
  identify: 'Identify',
  ssn: 'National identity number',
  dateOfBirth: 'Date of birth, ddMMyy',
  refused: 'The share is for another person.',
  download: 'Download',
  expired: 'Your access has ended.',
  unknown: 'This link leads nowhere, or no longer does.',
  usedOnce: 'This link could be used once, and has been used.',
}

export type ShareTexts = Readonly<typeof english>

const norwegian: ShareTexts = {
  lang: 'nb',
  app: 'Sikker deling',
  howToIdentify: 'Hvordan vil du identifisere deg?',
  identify: 'Identifiser meg',
  ssn: 'Fødselsnummer',
  dateOfBirth: 'Fødselsdato, ddMMåå',
  refused: 'Delingen er til en annen person.',
  download: 'Last ned',
  expired: 'Tilgangen din er utløpt.',
  unknown: 'Denne lenken fører ingen steder, eller gjør det ikke lenger.',
  usedOnce: 'Denne lenken kunne brukes én gang, og er brukt.',
}

/** The texts in the language of the notification: Norwegian unless it says otherwise. */
export function shareTexts(language: string): ShareTexts {
  return /^(no|nb|nn|)$/i.test(language) ? norwegian : english
}
