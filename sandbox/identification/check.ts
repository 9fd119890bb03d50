/** The reasons why the service refuses a new session (`docs/interface.md` 2.5, 9). */
import type { FieldError } from '../server/answers'
import { objectIn, textIn, textsIn, type JsonObject } from '../server/json'
import { parseUrl } from '../server/urls'
import { headlessProviders } from './providers'

type Complain = (field: string, message: string) => void

/** All problems of a request, by field. */
export function sessionProblems(body: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const complain: Complain = (field, message) => void errors.push({ field, message })
  const check = Object.hasOwn(checks, textIn(body.flow)) ? checks[textIn(body.flow) as keyof typeof checks] : undefined
  if (check) check(body, complain)
  else complain('flow', 'flow must be redirect, iframe or headless.')
  return errors
}

const checks = { redirect: checkRedirect, iframe: checkIframe, headless: checkHeadless }

function checkRedirect({ redirectSettings }: JsonObject, complain: Complain): void {
  for (const name of ['successUrl', 'abortUrl', 'errorUrl']) {
    if (parseUrl(textIn(objectIn(redirectSettings)[name]))) continue
    complain(`redirectSettings.${name}`, `${name} must be a whole address.`)
  }
}

function checkIframe({ iframeSettings }: JsonObject, complain: Complain): void {
  const { parentDomains, postMessageTargetOrigin } = objectIn(iframeSettings)
  const domains = textsIn(parentDomains)
  if (domains.length === 0) complain('iframeSettings.parentDomains', 'At least one parent domain is required.')
  if (domains.some((domain) => /[\s;,'"]/.test(domain) || domain === '')) {
    complain('iframeSettings.parentDomains', 'Each parent domain must be an origin.')
  }
  const target = parseUrl(textIn(postMessageTargetOrigin))
  if (!target || target.origin === 'null') {
    complain('iframeSettings.postMessageTargetOrigin', 'postMessageTargetOrigin must be an origin.')
  }
}

function checkHeadless({ allowedProviders, prefilledInput }: JsonObject, complain: Complain): void {
  const [provider = '', ...others] = textsIn(allowedProviders)
  if (others.length > 0 || !headlessProviders.includes(provider)) {
    complain('allowedProviders', `The flow headless needs one provider of ${headlessProviders.join(', ')}.`)
  }
  if (provider !== 'no_eid_mobile') return
  const { phoneNumber, dateOfBirth } = objectIn(prefilledInput)
  if (!isPhone(textIn(phoneNumber))) {
    complain('prefilledInput.phoneNumber', 'phoneNumber must have a country prefix and digits only.')
  }
  if (!isDate(textIn(dateOfBirth))) complain('prefilledInput.dateOfBirth', 'dateOfBirth must be YYYY-MM-DD.')
}

/** Whether the text is a phone number with a country prefix. */
export function isPhone(text: string): boolean {
  return /^\+\d{7,15}$/.test(text)
}

/** Whether the text is a date: YYYY-MM-DD, or ddMMyy, which the provider also accepts. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? !Number.isNaN(Date.parse(text)) : /^\d{6}$/.test(text)
}
