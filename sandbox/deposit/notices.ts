/** The e-mails that tenants get. */
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { signingUrl, tenantName } from './record'
import type { Tenant } from './state'

const texts = {
  contract: {
    subject: 'Sign the agreement on your deposit account',
    text: 'Sign the agreement on your deposit account. The account is opened when everyone has signed.',
  },
  split: {
    subject: 'Accept how your deposit is shared out',
    text: 'Your deposit is to be shared between you and your landlord. It is paid out when you have signed.',
  },
  released: {
    subject: 'Your deposit is released',
    text: 'Your deposit account has ended, and your part has been paid out.',
  },
} as const

/** Sends the tenant one of the e-mails, with a link to sign when `token` is given. */
export function tellTenant(world: World, tenant: Tenant, what: keyof typeof texts, token?: string): void {
  const to = textIn(objectIn(tenant.requested.info).email)
  const link = token === undefined ? '' : signingUrl(token, world)
  world.send({ channel: 'email', to, name: tenantName(tenant), ...texts[what], link })
}
