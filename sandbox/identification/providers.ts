/** Languages and identity providers of the account, and their names in v1. */
import type { Answer, Call } from '../server/call'
import type { World } from '../world'

interface Provider {
  readonly type: string
  readonly v1: string
  readonly name: string
  readonly description: Readonly<Record<'en' | 'no', string>>
}

const languages = [
  { id: 'en', name: 'English' },
  { id: 'no', name: 'Norsk' },
  { id: 'sv', name: 'Svenska' },
  { id: 'da', name: 'Dansk' },
  { id: 'fi', name: 'Suomi' },
  { id: 'de', name: 'Deutsch' },
  { id: 'nl', name: 'Nederlands' },
]

const described = (type: string, v1: string, name: string, en: string, no: string): Provider => ({
  type,
  v1,
  name,
  description: { en, no },
})

export const providers: readonly Provider[] = [
  described('no_eid_mobile', 'NO_EID_MOBILE', 'Norwegian EID on mobile', 'On your phone', 'På telefonen din'),
  described('no_eid_netcentric', 'NO_EID_WEB', 'Norwegian EID', 'In your browser', 'I nettleseren din'),
  described('no_eid', 'NO_EID', 'Norwegian EID card', 'With your card', 'Med kortet ditt'),
  described('se_eid', 'SWE_EID', 'Swedish EID', 'In your app', 'I appen din'),
  described('da_eid', 'DA_EID', 'Danish EID', 'In your app', 'I appen din'),
  described('fi_eid', 'FI_EID', 'Finnish EID', 'With your bank', 'Med banken din'),
  described('sms_otp', 'SMS_OTP', 'SMS code', 'By a code in an SMS', 'Med en kode på SMS'),
  described('email_otp', 'EMAIL_OTP', 'E-mail code', 'By a code in an e-mail', 'Med en kode på e-post'),
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
  return { json: languages }
}

/** `GET /identification/v2/id-providers`, with `language` for the descriptions. */
export function listProviders(call: Call, world: World): Answer {
  const language = call.query.get('language') === 'no' ? 'no' : 'en'
  const json = providers.map(({ type, name, description }) => {
    const logoUrl = `${world.url}/identify/logos/${type}.svg`
    return { type, name, description: description[language], logoUrl, logoUrlNegative: logoUrl, logoWidth: 64 }
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
