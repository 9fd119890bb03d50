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
  sv: {
    contract: {
      subject: 'Signera avtalet om ditt depositionskonto',
      text: 'Signera avtalet om ditt depositionskonto. Kontot öppnas när alla har signerat.',
    },
    split: {
      subject: 'Godkänn fördelningen av din deposition',
      text: 'Din deposition ska delas mellan dig och hyresvärden. Den betalas ut när du har signerat.',
    },
    released: {
      subject: 'Din deposition är frigjord',
      text: 'Ditt depositionskonto är avslutat, och din del har betalats ut.',
    },
  },
  da: {
    contract: {
      subject: 'Underskriv aftalen om din depositumskonto',
      text: 'Underskriv aftalen om din depositumskonto. Kontoen åbnes, når alle har skrevet under.',
    },
    split: {
      subject: 'Accepter fordelingen af dit depositum',
      text: 'Dit depositum skal deles mellem dig og udlejeren. Det udbetales, når du har skrevet under.',
    },
    released: { subject: 'Dit depositum er frigivet', text: 'Din depositumskonto er lukket, og din del er udbetalt.' },
  },
  fi: {
    contract: {
      subject: 'Allekirjoita sopimus vakuustilistäsi',
      text: 'Allekirjoita sopimus vakuustilistäsi. Tili avataan, kun kaikki ovat allekirjoittaneet.',
    },
    split: {
      subject: 'Hyväksy vakuutesi jakaminen',
      text: 'Vakuutesi jaetaan sinun ja vuokranantajan kesken. Se maksetaan, kun olet allekirjoittanut.',
    },
    released: { subject: 'Vakuutesi on vapautettu', text: 'Vakuustilisi on päättynyt, ja osuutesi on maksettu.' },
  },
  de: {
    contract: {
      subject: 'Unterschreiben Sie die Vereinbarung über Ihr Kautionskonto',
      text: 'Unterschreiben Sie die Vereinbarung über Ihr Kautionskonto. Das Konto wird eröffnet, wenn alle unterschrieben haben.',
    },
    split: {
      subject: 'Stimmen Sie der Aufteilung Ihrer Kaution zu',
      text: 'Ihre Kaution soll zwischen Ihnen und dem Vermieter geteilt werden. Sie wird ausgezahlt, wenn Sie unterschrieben haben.',
    },
    released: {
      subject: 'Ihre Kaution ist freigegeben',
      text: 'Ihr Kautionskonto ist aufgelöst, und Ihr Teil wurde ausgezahlt.',
    },
  },
  nl: {
    contract: {
      subject: 'Onderteken de overeenkomst over uw waarborgrekening',
      text: 'Onderteken de overeenkomst over uw waarborgrekening. De rekening wordt geopend als iedereen heeft ondertekend.',
    },
    split: {
      subject: 'Ga akkoord met de verdeling van uw waarborgsom',
      text: 'Uw waarborgsom wordt verdeeld tussen u en de verhuurder. Ze wordt uitbetaald als u hebt ondertekend.',
    },
    released: {
      subject: 'Uw waarborgsom is vrijgegeven',
      text: 'Uw waarborgrekening is beëindigd en uw deel is uitbetaald.',
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
