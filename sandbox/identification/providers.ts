/** Languages and identity providers of the account, and their names in v1. */
import type { Answer, Call } from '../server/call'
import { chooseLanguage, pageLanguages, type PageLanguage } from '../pages/languages'
import { methodName } from '../pages/method-names'
import type { World } from '../world'

interface Provider {
  readonly type: string
  readonly v1: string
  readonly description: Readonly<Record<PageLanguage, string>>
}

/** How each provider works, in words for the users who choose one. */
const ways = {
  phone: {
    en: 'On your phone',
    no: 'På telefonen din',
  },
  browser: {
    en: 'In your browser',
    no: 'I nettleseren din',
  },
  card: {
    en: 'With your card',
    no: 'Med kortet ditt',
  },
  app: {
    en: 'In your app',
    no: 'I appen din',
  },
  bank: {
    en: 'With your bank',
    no: 'Med banken din',
  },
  sms: {
    en: 'By a code in an SMS',
    no: 'Med en kode på SMS',
  },
  mail: {
    en: 'By a code in an e-mail',
    no: 'Med en kode på e-post',
  },
} satisfies Record<string, Record<PageLanguage, string>>

export const providers: readonly Provider[] = [
  { type: 'no_eid_mobile', v1: 'NO_EID_MOBILE', description: ways.phone },
  { type: 'no_eid_netcentric', v1: 'NO_EID_WEB', description: ways.browser },
  { type: 'no_eid', v1: 'NO_EID', description: ways.card },
  { type: 'se_eid', v1: 'SWE_EID', description: ways.app },
  { type: 'da_eid', v1: 'DA_EID', description: ways.app },
  { type: 'fi_eid', v1: 'FI_EID', description: ways.bank },
  { type: 'sms_otp', v1: 'SMS_OTP', description: ways.sms },
  { type: 'email_otp', v1: 'EMAIL_OTP', description: ways.mail },
]

/** Providers that need no page (`docs/interface.md` 9.3). */
export const headlessProviders: readonly string[] = ['no_eid_mobile', 'se_eid']

/** The v2 name of a provider named as in v1. */
export function fromV1Provider(name: string): string {
  const upper = name.toUpperCase()
  if (upper === 'SWE_EID_MOBILE') return 'se_eid'
  return providers.find(({ v1 }) => v1 === upper)?.type ?? name.toLowerCase()
}

export function toV1Provider(type: string): string {
  return providers.find((one) => one.type === type)?.v1 ?? type.toUpperCase()
}

/** `GET /identification/v2/languages` */
export function listLanguages(): Answer {
  return { json: pageLanguages }
}

/** `GET /identification/v2/id-providers`, with `language` for the descriptions. */
export function listProviders(call: Call, world: World): Answer {
  const language = chooseLanguage({}, call.query.get('language') ?? '')
  const json = providers.map(({ type, description }) => {
    const logoUrl = `${world.url}/identify/logos/${type}.svg`
    return {
      type,
      name: methodName(type, language),
      description: description[language],
      logoUrl,
      logoUrlNegative: logoUrl,
      logoWidth: 64,
    }
  })
  return { json }
}

/** `GET /identify/logos/{file}`: the provider's first two letters. */
export function showLogo(call: Call): Answer {
  const letters = call
    .param('file')
    .replace(/[^a-z]/g, '')
    .slice(0, 2)
    .toUpperCase()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#2457c5"/><text x="32" y="41" font-family="sans-serif" font-size="26" font-weight="700" text-anchor="middle" fill="#fff">${letters}</text></svg>`
  return { text: svg, type: 'image/svg+xml' }
}
