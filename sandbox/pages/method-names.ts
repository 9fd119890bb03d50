/** The names of the ways to sign and to identify, in the languages of the pages. */
import type { PageLanguage } from './languages'

type Names = Readonly<Record<PageLanguage, string>>

const names: Readonly<Record<string, Names>> = {
  no_eid: {
    en: 'Norwegian eID',
    no: 'Norsk eID',
  },
  no_eid_netcentric: {
    en: 'Norwegian eID in the browser',
    no: 'Norsk eID i nettleseren',
  },
  no_eid_mobile: {
    en: 'Norwegian eID on mobile',
    no: 'Norsk eID på mobil',
  },
  se_eid: {
    en: 'Swedish eID',
    no: 'Svensk eID',
  },
  da_eid: {
    en: 'Danish eID',
    no: 'Dansk eID',
  },
  fi_eid: {
    en: 'Finnish eID',
    no: 'Finsk eID',
  },
  sms_otp: {
    en: 'Code by SMS',
    no: 'Kode på SMS',
  },
  email_otp: {
    en: 'Code by e-mail',
    no: 'Kode på e-post',
  },
}

/** The name of a method or provider, whatever the case of `type`; for an unknown method or provider, its type. */
export function methodName(type: string, language: PageLanguage): string {
  const key = type.toLowerCase()
  return (Object.hasOwn(names, key) ? names[key]?.[language] : undefined) ?? type
}
