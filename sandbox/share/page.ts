/** The pages a share's recipient sees. */
import { escape, notice, page } from '../pages/html'
import { fromV1Provider } from '../identification/providers'
import { chooseLanguage, langOf, type PageLanguage } from '../pages/languages'
import { methodName } from '../pages/method-names'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn } from '../server/json'
import type { RecipientContext } from './state'
import { shareTexts, type ShareTexts } from './texts'

const style = `
main { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
.files { list-style: none; padding: 0; } .files li { display: flex; gap: 1rem; justify-content: space-between; padding: .6rem 0; border-top: 1px solid var(--line); }
.files span { min-width: 0; overflow-wrap: anywhere; }
form > * { margin: 0 0 1rem; } fieldset { border: 0; padding: 0; } form > :last-child { margin: 0; } legend { font-weight: 600; margin-bottom: .25rem; padding: 0; }
fieldset label { display: flex; gap: .5rem; align-items: center; font-weight: 400; padding: .25rem 0; }
`

/** The page on which the recipient chooses a provider and identifies; `refused` is true after a failed attempt. */
export function identifyPage(
  context: RecipientContext,
  call: Call,
  offered: readonly string[],
  refused = false,
): Answer {
  const language = languageFor(context, call)
  const texts = shareTexts[language]
  const { authentication } = context.recipient
  const ask = (name: 'ssn' | 'dateOfBirth', example: string) => {
    const needed = authentication.map((one) => textIn(one[name]) !== '')
    // If only some of the providers need this field, the field is shown but not required: whether the field is needed
    // depends on the chosen provider.
    return needed.includes(true) ? field(name, texts[name], example, !needed.includes(false)) : ''
  }
  const body = `${intro(context, texts)}
<form method="post">
<fieldset><legend>${texts.howToIdentify}</legend>${offered.map((one, index) => providerChoice(one, index, language)).join('')}</fieldset>
${ask('ssn', '00000000000')}
${ask('dateOfBirth', '010190')}
${refused ? `<p role="alert" class="bad">${texts.refused}</p>` : ''}
<button type="submit">${texts.identify}</button>
</form>${authentication.length === 0 ? `<form method="post"><button class="plain">${texts.goOn}</button></form>` : ''}`
  return frame(context, language, body, refused ? 403 : 200)
}

/** The page with the files that the recipient may download. */
export function filesPage(context: RecipientContext, call: Call, session: string): Answer {
  const language = languageFor(context, call)
  const texts = shareTexts[language]
  const { recipient } = context
  const { confidentialInfo } = context.share.information
  const items = recipient.content.map(({ id, name, file }) => {
    const href = `/shared/${recipient.token}/files/${encodeURIComponent(id)}?session=${session}`
    const size = file ? ` <span class="quiet">${showSize(file.size)}</span>` : ''
    const label = `${texts.download}<span class="visually-hidden"> ${escape(name)}</span>`
    return `<li><span>${escape(name)}${size}</span><a class="button small" href="${escape(href)}">${label}</a></li>`
  })
  const info = confidentialInfo ? `<p>${escape(confidentialInfo)}</p>` : ''
  return frame(context, language, `${intro(context, texts)}${info}<ul class="files">${items.join('')}</ul>`)
}

/** The page for a link that no longer works; scripts get the reason in `answer`. */
export function closedPage(context: RecipientContext, call: Call, { status, json }: Answer): Answer {
  const language = languageFor(context, call)
  const texts = shareTexts[language]
  const reason = objectIn(json).code === 'ONE_TIME_LOGIN' ? texts.usedOnce : texts.expired
  return frame(context, language, `<h1>${texts.app}</h1><p>${reason}</p>`, status)
}

/** The page for an unknown link: the link never existed, or the recipient was removed. */
export function unknownPage({ headers }: Call): Answer {
  const language = chooseLanguage(headers)
  const { app, unknown } = shareTexts[language]
  const body = `${notice(language)}<main><div class="card"><h1>${app}</h1><p>${unknown}</p></div></main>`
  return page({ title: app, lang: langOf(language), body, style, status: 404 })
}

function frame({ share }: RecipientContext, language: PageLanguage, inner: string, status = 200): Answer {
  const title = `${textIn(share.information.title)} – ${shareTexts[language].app}`
  const body = `${notice(language)}<main><div class="card">${inner}</div></main>`
  return page({ title, lang: langOf(language), body, style, status })
}

function intro({ share }: RecipientContext, texts: ShareTexts): string {
  const { title, description } = share.information
  return `<p class="quiet">${texts.app}</p><h1>${escape(title)}</h1><p>${escape(description)}</p>`
}

function providerChoice(provider: string, index: number, language: PageLanguage): string {
  const value = escape(provider)
  const name = methodName(fromV1Provider(provider), language)
  return `<label><input type="radio" name="identityProvider" value="${value}" required${index === 0 ? ' checked' : ''}> ${escape(name)}</label>`
}

function field(name: string, label: string, example: string, required: boolean): string {
  return `<div><label for="${name}">${label}</label><input id="${name}" name="${name}"${required ? ' required' : ''} autocomplete="off" placeholder="${example}"></div>`
}

/** The language set for the recipient's notification. If no language is set, the language of the browser. */
function languageFor({ recipient }: RecipientContext, { headers }: Call): PageLanguage {
  return chooseLanguage(headers, textIn(recipient.notification?.language))
}

function showSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
