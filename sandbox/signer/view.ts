/** The signer app's page: the document, the choice of method, the dialogs before and after signing, and the buttons. */
import { embedData, escape, notice, page } from '../pages/html'
import { langOf, pageLanguages, type PageLanguage } from '../pages/languages'
import { methodName } from '../pages/method-names'
import { pageScript } from '../pages/page-script'
import type { Answer } from '../server/call'
import { objectIn, objectsIn, textIn, type JsonObject } from '../server/json'
import { nameOf } from '../signature/signers'
import { methodsOf } from './actions'
import { frameAncestors, receiverOf, type Receiver, type WebMessage } from './messages'
import type { SignerContext } from './session'
import { signerStyle } from './style'
import { signerTexts, type Texts } from './texts'
import { lookOf, type Look } from './theme'
import { viewer } from './viewer'

interface SignerPage {
  readonly context: SignerContext
  readonly language: PageLanguage
  /** Messages that the page posts when it opens. */
  readonly messages: readonly WebMessage[]
  /** Whether the page was open before, in another language. */
  readonly again: boolean
  /** The message in place of the button to sign; undefined if signing is possible. */
  readonly closed: string | undefined
}

export async function signerPage(shown: SignerPage): Promise<Answer> {
  const { document, signer } = shown.context
  const { language } = shown
  const texts = signerTexts[language]
  const look = lookOf(signer)
  const name = nameOf(signer)
  const body = `${notice(language)}
${topBar(look, language)}
<main>
<section class="card" aria-labelledby="title">
<h1 id="title">${escape(document.title)}</h1>
${document.description ? `<p>${escape(document.description)}</p>` : ''}
${name === '' ? '' : `<p>${escape(texts.signer)}: ${escape(name)}</p>`}
${await viewer(shown.context, texts)}
</section>
${shown.closed === undefined ? signCard(shown.context, language) : ''}
<p id="state" role="status" class="${shown.closed === undefined ? '' : 'card'}">${escape(shown.closed ?? '')}</p>
${look.topBar === 'hidden' ? languageChoice(language) : ''}
</main>
${dialogs(dialogsOf(shown.context), texts)}
<div id="spinner" class="spinner ${escape(look.spinner)}" hidden><div class="turning" aria-hidden="true"><i></i><i></i><i></i></div><p>${escape(texts.working)}</p></div>
${embedData('data', dataFor(shown, texts))}`
  return page({
    title: `${document.title} – ${texts.app}`,
    lang: langOf(language),
    body,
    style: `${signerStyle}${look.style}`,
    script: pageScript(__dirname, 'signer'),
    attributes: look.mode ? `data-mode="${look.mode}"` : '',
    frameAncestors: frameAncestors(signer),
  })
}

/** The data for the page's script. */
export interface SignerPageData {
  /** The path to which the page's script sends its calls. */
  readonly path: string
  readonly token: string
  readonly receiver: Receiver | undefined
  readonly messages: readonly WebMessage[]
  readonly again: boolean
  readonly texts: Texts
}

function dataFor({ context, messages, again }: SignerPage, texts: Texts): SignerPageData {
  const { signer } = context
  const { token } = signer
  return { path: `/sign/${token}`, token, receiver: receiverOf(signer), messages, again, texts }
}

function topBar(look: Look, language: PageLanguage): string {
  if (look.topBar === 'hidden') return ''
  const name = look.topBar === 'visible' ? `<strong>${escape(signerTexts[language].app)}</strong>` : '<span></span>'
  return `<header class="top ${look.topBar}">${name}${languageChoice(language)}</header>`
}

function languageChoice(language: PageLanguage): string {
  const options = pageLanguages.map(({ id, name }) => {
    const chosen = id === language ? ' selected' : ''
    return `<option value="${id.toUpperCase()}"${chosen}>${name}</option>`
  })
  return `<div class="language"><label for="language">${escape(signerTexts[language].language)}</label><select id="language">${options.join('')}</select></div>`
}

function signCard({ signer }: SignerContext, language: PageLanguage): string {
  const texts = signerTexts[language]
  const offered = methodsOf(signer)
  return `<form id="signing" class="card" method="post" action="/sign/${escape(signer.token)}/sign">
${offered.length > 0 ? methodChoice(offered, language) : ''}
<div class="row">
<button id="sign">${escape(texts.sign)}</button>
<button id="cancel" class="plain" formaction="/sign/${escape(signer.token)}/cancel">${escape(texts.cancel)}</button>
</div>
<hr>
<p class="quiet" id="fail-hint">${escape(texts.failHint)}</p>
<button id="fail" class="plain small" aria-describedby="fail-hint" formaction="/sign/${escape(signer.token)}/fail">${escape(texts.fail)}</button>
</form>`
}

function methodChoice(offered: readonly string[], language: PageLanguage): string {
  const choices = offered.map((method, index) => {
    const name = methodName(method, language)
    const checked = index === 0 ? ' checked' : ''
    return `<label class="choice"><input type="radio" name="method" value="${escape(method)}"${checked}> ${escape(name)}</label>`
  })
  return `<fieldset><legend>${escape(signerTexts[language].method)}</legend>${choices.join('')}</fieldset>`
}

function dialogsOf({ signer }: SignerContext): {
  readonly before: JsonObject | undefined
  readonly after: JsonObject | undefined
} {
  const { before, after } = objectIn(objectIn(signer.requested.ui).dialogs)
  const shown = (dialog: JsonObject) => Object.keys(dialog).length > 0
  const first = objectIn(before)
  const last = objectIn(after)
  return { before: shown(first) ? first : undefined, after: shown(last) ? last : undefined }
}

function dialogs({ before, after }: ReturnType<typeof dialogsOf>, texts: Texts): string {
  const check = before?.useCheckBox === true
  const box = `<label class="choice"><input type="checkbox" id="understood" required> ${escape(texts.understood)}</label>`
  const first =
    before &&
    dialog(
      'before',
      // If the sender has set only questions, this dialog asks them, with the name of the step as its title.
      { ...before, title: textIn(before.title) || texts.sign },
      texts.proceed,
      texts.back,
      objectsIn(before.formFields).map(formField).join('') + (check ? box : ''),
    )
  const last = after && dialog('after', after, texts.close)
  return `${first ?? ''}${last ?? ''}`
}

/** One field for the signer to fill in. */
function formField({ key, description, type, regex, required }: JsonObject): string {
  const label = escape(textIn(description) || textIn(key))
  const attributes = `data-field="${escape(textIn(key))}"${required === true ? ' required' : ''}`
  if (type === 'checkbox') return `<label class="choice"><input type="checkbox" ${attributes}> ${label}</label>`
  const pattern = textIn(regex) ? ` pattern="${escape(textIn(regex))}"` : ''
  return `<p><label>${label} <input type="text" ${attributes}${pattern}></label></p>`
}

function dialog(id: string, requested: JsonObject, yes: string, no?: string, more = ''): string {
  return `<dialog id="${id}" aria-labelledby="${id}-title"><form method="dialog">
<h2 id="${id}-title">${escape(textIn(requested.title))}</h2>
<p class="message">${escape(textIn(requested.message))}</p>
${more}
<div class="row"><button value="yes">${escape(yes)}</button>
${no ? `<button class="plain" value="no" formnovalidate>${escape(no)}</button>` : ''}</div>
</form></dialog>`
}
