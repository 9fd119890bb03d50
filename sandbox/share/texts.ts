/** The texts of the recipient's pages, in the service's languages. */
import type { PageLanguage } from '../pages/languages'

const english = {
  app: 'Secure share',
  howToIdentify: 'How do you want to identify yourself?',
  identify: 'Identify',
  goOn: 'Continue without',
  ssn: 'National identity number',
  dateOfBirth: 'Date of birth, ddMMyy',
  refused: 'The share is for another person.',
  download: 'Download',
  expired: 'Your access has ended.',
  unknown: 'This link is not valid, or no longer valid.',
  usedOnce: 'This link can be used only once, and it has been used.',
}

export type ShareTexts = Readonly<typeof english>

export const shareTexts: Readonly<Record<PageLanguage, ShareTexts>> = {
  en: english,
  no: {
    app: 'Sikker deling',
    howToIdentify: 'Hvordan vil du identifisere deg?',
    identify: 'Identifiser meg',
    goOn: 'Gå videre uten å identifisere deg',
    ssn: 'Fødselsnummer',
    dateOfBirth: 'Fødselsdato, ddMMåå',
    refused: 'Delingen er ment for en annen person.',
    download: 'Last ned',
    expired: 'Tilgangen din er utløpt.',
    unknown: 'Denne lenken er ugyldig eller utløpt.',
    usedOnce: 'Denne lenken kan bare brukes én gang, og den er allerede brukt.',
  },
}
