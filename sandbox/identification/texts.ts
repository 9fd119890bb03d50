/** What the identification pages say, in English and Norwegian. */

const english = {
  lang: 'en',
  app: 'Identification',
  choose: 'How do you want to identify yourself?',
  who: 'Who are you?',
  hint: 'Any invented person will do. What is filled in is what the session returns.',
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
  ended: {
    created: '',
    user_initiated: '',
    success: 'You are identified. You can close this page.',
    user_aborted: 'You have cancelled.',
    failed: 'Something went wrong. You are not identified.',
    timed_out: 'This link is no longer valid.',
    invalidated: 'This link is no longer valid.',
  },
}

export type IdentityTexts = Readonly<typeof english>

const norwegian: IdentityTexts = {
  lang: 'nb',
  app: 'Identifisering',
  choose: 'Hvordan vil du identifisere deg?',
  who: 'Hvem er du?',
  hint: 'En hvilken som helst oppdiktet person duger. Det som står her, er det økten svarer med.',
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
  failHint: 'Sandkassen tilbyr dette så du kan se hva en feil fører til.',
  back: 'En annen måte',
  language: 'Språk',
  ended: {
    created: '',
    user_initiated: '',
    success: 'Du er identifisert. Du kan lukke denne siden.',
    user_aborted: 'Du har avbrutt.',
    failed: 'Noe gikk galt. Du er ikke identifisert.',
    timed_out: 'Denne lenken er ikke lenger gyldig.',
    invalidated: 'Denne lenken er ikke lenger gyldig.',
  },
}

/** Norwegian for `no` and its kin, English otherwise. */
export function identityTexts(language: string): IdentityTexts {
  return /^(no|nb|nn)$/i.test(language) ? norwegian : english
}
