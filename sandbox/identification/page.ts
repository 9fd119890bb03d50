/** The identification pages: choose a provider, choose a person, and the end. */
import { embedData, escape, notice, page } from '../pages/html'
import { langOf, pageLanguages, type PageLanguage } from '../pages/languages'
import { methodName } from '../pages/method-names'
import { pageScript } from '../pages/page-script'
import type { Answer } from '../server/call'
import { objectIn, textsIn } from '../server/json'
import { providers } from './providers'
import { expectedPerson, offeredPeople, type olaNordmann } from './person'
import type { ParentMessage } from './return'
import type { Session } from './session'
import { identityTexts } from './texts'
import { lookOf } from './theme'

type Field = keyof typeof olaNordmann

const fields: readonly (readonly [Field, string])[] = [
  ['firstName', 'required'],
  ['middleName', ''],
  ['lastName', 'required'],
  ['dateOfBirth', 'type="date" required'],
  ['phoneNumber', 'type="tel"'],
  ['nin', 'inputmode="numeric"'],
  ['email', 'type="email"'],
]

export function providerPage(session: Session, offered: readonly string[], language: PageLanguage): Answer {
  const texts = identityTexts[language]
  const items = offered.map((type) => {
    const { description } = providers.find((one) => one.type === type) ?? {}
    const about = description ? `<br><span class="quiet">${description[language]}</span>` : ''
    const logo = `<img src="/identify/logos/${encodeURIComponent(type)}.svg" alt="">`
    return `<li><a href="${here(type, language)}">${logo}<span>${escape(methodName(type, language))}${about}</span></a></li>`
  })
  const body = `<h1>${texts.choose}</h1><ul class="providers">${items.join('')}</ul>`
  return frame(session, language, body, (code) => here(undefined, code))
}

export function identityPage(session: Session, provider: string, language: PageLanguage): Answer {
  const texts = identityTexts[language]
  const person = expectedPerson(session.requested)
  const { hideHeader } = lookOf(session.requested)
  const name = methodName(provider, language)
  const inputs = fields.map(([field, attributes]) => {
    const value = `value="${escape(person[field])}"`
    return `<div><label for="${field}">${texts[field]}</label><input id="${field}" name="${field}" autocomplete="off" ${attributes} ${value}></div>`
  })
  const back = session.allowedProviders.length === 1 ? '' : `<a href="${here(undefined, language)}">${texts.back}</a>`
  const body = `${hideHeader ? '' : `<p class="quiet">${escape(name)}</p>`}
<h1>${texts.who}</h1>${peopleOf(session, provider, language)}<p>${texts.hint}</p>
<form method="post" action="/identify/${session.token}">
<input type="hidden" name="provider" value="${escape(provider)}">
<div class="fields">${inputs.join('')}</div>
<div class="row"><button name="action" value="success">${texts.success}</button>
<button class="plain" name="action" value="abort" formnovalidate>${texts.abort}</button>
<button class="plain" name="action" value="fail" formnovalidate aria-describedby="fail-hint">${texts.fail}</button></div>
<p id="fail-hint" class="quiet hint">${texts.failHint}</p>
</form>${back}`
  return frame(session, language, body, (code) => here(provider, code))
}

/** A button for each person whom the page offers. */
function peopleOf({ requested, token }: Session, provider: string, language: PageLanguage): string {
  const buttons = offeredPeople(requested).map(({ name }, index) => {
    const text = name === '' ? identityTexts[language].stranger : name
    return `<button name="person" value="${index}">${escape(text)}</button>`
  })
  if (buttons.length === 0) return ''
  return `<form method="post" action="/identify/${token}"><input type="hidden" name="action" value="success">
<input type="hidden" name="provider" value="${escape(provider)}"><div class="row">${buttons.join(' ')}</div></form>`
}

/** The name of the text for each result of a session. */
const ends = { success: 'identified', aborted: 'aborted', error: 'failed' } as const

/** The page after the session has ended. If `end` is given, the page sends its message to the parent window. */
export function endedPage(
  session: Session,
  language: PageLanguage,
  end?: { readonly message: ParentMessage; readonly targetOrigin: string | undefined },
): Answer {
  const texts = identityTexts[language]
  const message = end?.targetOrigin === undefined ? '' : embedData('end', end)
  const status = end ? 200 : 410
  const text = end ? texts[ends[end.message.status]] : texts.gone
  return frame(session, language, `<h1>${texts.app}</h1><p role="status">${text}</p>${message}`, undefined, {
    status,
    script: message ? pageScript(__dirname, 'end') : undefined,
  })
}

function frame(
  session: Session,
  language: PageLanguage,
  inner: string,
  inLanguage?: (code: PageLanguage) => string,
  more: { readonly status?: number; readonly script?: string } = {},
): Answer {
  const look = lookOf(session.requested)
  const texts = identityTexts[language]
  const choices = pageLanguages.map(({ id, name }) => {
    const current = id === language ? ' aria-current="true"' : ''
    return `<a href="${inLanguage?.(id) ?? ''}" lang="${langOf(id)}"${current}>${name}</a>`
  })
  const footer = `<footer><nav aria-label="${texts.language}">${choices.join(' ')}</nav></footer>`
  const body = `${notice(language)}${look.topBar}
<main><div class="card">${inner}</div>${look.hideFooter || !inLanguage ? '' : footer}</main>`
  const { style, attributes } = look
  const title = texts.app
  return page({ title, lang: langOf(language), body, style, attributes, frameAncestors: ancestorsOf(session), ...more })
}

/**
 * The addresses that may frame the page: in the flow `iframe`, the parent domains in the request; none in other flows.
 */
function ancestorsOf({ flow, requested }: Session): string | undefined {
  const domains = textsIn(objectIn(requested.iframeSettings).parentDomains).filter((one) => /^[\w:/.*[\]-]+$/.test(one))
  return flow === 'iframe' && domains.length > 0 ? domains.join(' ') : undefined
}

/** The relative address of this page with another provider or language. */
function here(provider: string | undefined, language: PageLanguage): string {
  const query = new URLSearchParams({ ...(provider !== undefined && { provider }), language })
  return escape(`?${query.toString()}`)
}
