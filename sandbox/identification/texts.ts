/** The texts of the identification pages, in the service's languages. */
import type { PageLanguage } from '../pages/languages'

const english = {
  app: 'Identification',
  choose: 'How do you want to identify yourself?',
  who: 'Who are you?',
  hint: 'Any invented person will do. The session returns what you enter here.',
  stranger: 'A stranger',
  firstName: 'First name',
  middleName: 'Middle name',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  phoneNumber: 'Phone number',
  nin: 'National identity number',
  email: 'E-mail',
  success: 'Identify',
  abort: 'Cancel',
  fail: 'Let it fail',
  failHint: 'The sandbox offers this so that you can see what an error does.',
  back: 'Another way',
  language: 'Language',
  identified: 'You are identified. You can close this page.',
  aborted: 'You have canceled.',
  failed: 'Something went wrong. You are not identified.',
  gone: 'This link is no longer valid.',
}

type IdentityTexts = Readonly<typeof english>

export const identityTexts: Readonly<Record<PageLanguage, IdentityTexts>> = {
  en: english,
  no: {
    app: 'Identifisering',
    choose: 'Hvordan vil du identifisere deg?',
    who: 'Hvem er du?',
    hint: 'Finn på en person. Økten svarer med det du skriver her.',
    stranger: 'En fremmed',
    firstName: 'Fornavn',
    middleName: 'Mellomnavn',
    lastName: 'Etternavn',
    dateOfBirth: 'Fødselsdato',
    phoneNumber: 'Telefonnummer',
    nin: 'Fødselsnummer',
    email: 'E-post',
    success: 'Identifiser meg',
    abort: 'Avbryt',
    fail: 'La det feile',
    failHint: 'Finnes bare i sandkassen, slik at du kan se hva en feil fører til.',
    back: 'En annen måte',
    language: 'Språk',
    identified: 'Du er identifisert. Du kan lukke denne siden.',
    aborted: 'Du avbrøt identifiseringen.',
    failed: 'Noe gikk galt. Du er ikke identifisert.',
    gone: 'Denne lenken er ikke lenger gyldig.',
  },
}
