/** The names of the ways to sign and to identify, in the languages of the pages. */
import type { PageLanguage } from './languages'

type Names = Readonly<Record<PageLanguage, string>>

const names: Readonly<Record<string, Names>> = {
  no_eid: {
    en: 'Norwegian eID',
    no: 'Norsk eID',
    sv: 'Norskt e-id',
    da: 'Norsk eID',
    fi: 'Norjalainen eID',
    de: 'Norwegische eID',
    nl: 'Noorse eID',
  },
  no_eid_netcentric: {
    en: 'Norwegian eID in the browser',
    no: 'Norsk eID i nettleseren',
    sv: 'Norskt e-id i webbläsaren',
    da: 'Norsk eID i browseren',
    fi: 'Norjalainen eID selaimessa',
    de: 'Norwegische eID im Browser',
    nl: 'Noorse eID in de browser',
  },
  no_eid_mobile: {
    en: 'Norwegian eID on mobile',
    no: 'Norsk eID på mobil',
    sv: 'Norskt e-id i mobilen',
    da: 'Norsk eID på mobil',
    fi: 'Norjalainen mobiili-eID',
    de: 'Norwegische eID auf dem Handy',
    nl: 'Noorse eID op mobiel',
  },
  se_eid: {
    en: 'Swedish eID',
    no: 'Svensk eID',
    sv: 'Svenskt e-id',
    da: 'Svensk eID',
    fi: 'Ruotsalainen eID',
    de: 'Schwedische eID',
    nl: 'Zweedse eID',
  },
  da_eid: {
    en: 'Danish eID',
    no: 'Dansk eID',
    sv: 'Danskt e-id',
    da: 'Dansk eID',
    fi: 'Tanskalainen eID',
    de: 'Dänische eID',
    nl: 'Deense eID',
  },
  fi_eid: {
    en: 'Finnish eID',
    no: 'Finsk eID',
    sv: 'Finskt e-id',
    da: 'Finsk eID',
    fi: 'Suomalainen eID',
    de: 'Finnische eID',
    nl: 'Finse eID',
  },
  sms_otp: {
    en: 'Code by SMS',
    no: 'Kode på SMS',
    sv: 'Kod via SMS',
    da: 'Kode på SMS',
    fi: 'Koodi tekstiviestillä',
    de: 'Code per SMS',
    nl: 'Code per sms',
  },
  email_otp: {
    en: 'Code by e-mail',
    no: 'Kode på e-post',
    sv: 'Kod via e-post',
    da: 'Kode på e-mail',
    fi: 'Koodi sähköpostilla',
    de: 'Code per E-Mail',
    nl: 'Code per e-mail',
  },
}

/** The name of a method or provider, whatever the case of `type`; for an unknown method or provider, its type. */
export function methodName(type: string, language: PageLanguage): string {
  const key = type.toLowerCase()
  return (Object.hasOwn(names, key) ? names[key]?.[language] : undefined) ?? type
}
