/** The e-mails and SMS to tenants. */
import { chooseLanguage, type PageLanguage } from '../pages/languages'
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { signingUrl, tenantName } from './record'
import type { Tenant } from './state'

type Letter = 'contract' | 'split' | 'released'

const texts: Readonly<
  Record<PageLanguage, Readonly<Record<Letter, { readonly subject: string; readonly text: string }>>>
> = {
  en: {
    contract: {
      subject: 'Sign the agreement on your deposit account',
      text: 'Sign the agreement on your deposit account. The account is opened when everyone has signed.',
    },
    split: {
      subject: 'Accept how your deposit is split',
      text: 'Your deposit is to be shared between you and your landlord. It is paid out when you have signed.',
    },
    released: {
      subject: 'Your deposit is released',
      text: 'Your deposit account has ended, and your part has been paid out.',
    },
  },
  no: {
    contract: {
      subject: 'Signer avtalen om depositumskontoen din',
      text: 'Signer avtalen om depositumskontoen din. Kontoen åpnes når alle har signert.',
    },
    split: {
      subject: 'Godta fordelingen av depositumet ditt',
      text: 'Depositumet ditt skal deles mellom deg og utleieren. Det utbetales når du har signert.',
    },
    released: {
      subject: 'Depositumet ditt er utbetalt',
      text: 'Depositumskontoen din er avsluttet, og din del er utbetalt.',
    },
  },
}

/**
 * Sends the tenant the notice named `what`, in the language of their page, with a link to sign if `token` is given. If
 * there is no e-mail address, it is an SMS.
 */
export function tellTenant(world: World, tenant: Tenant, what: Letter, token?: string): void {
  const { info, ui } = tenant.requested
  const { email, mobile } = objectIn(info)
  const [channel, to] = textIn(email) ? (['email', textIn(email)] as const) : (['sms', textIn(mobile)] as const)
  // A landlord who signs may have neither.
  if (to === '') return
  const language = chooseLanguage({}, textIn(objectIn(ui).language))
  const link = token === undefined ? '' : signingUrl(token, world)
  world.send({ channel, to, name: tenantName(tenant), ...texts[language][what], link })
}
