/** Opens the signer app. */
import { embedData, escape, notice, page, type Page } from '../pages/html'
import { chooseLanguage, langOf, type PageLanguage } from '../pages/languages'
import { pageScript } from '../pages/page-script'
import { HttpError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn } from '../server/json'
import { obstacle, tell } from '../signature/transitions'
import type { World } from '../world'
import { messageOf } from './actions'
import { about, frameAncestors, receiverOf } from './messages'
import { identifyPage, isUnknown } from './identify'
import { findSignerContext, openSession, originOfCall, type SignerContext } from './session'
import { signerTexts, type Texts } from './texts'
import { signerPage } from './view'

/**
 * `GET /sign/start?jwt=`: the page. `outdated=1` shows the page for an outdated browser. `lang` sets the language;
 * without it, the signer's settings or the browser decide. `again` means that the page was already open.
 */
export function startSigning(call: Call, world: World): Answer | Promise<Answer> {
  const context = contextOrNone(call, world)
  if (!context) return plainPage('unknown', chooseLanguage(call.headers), { status: 404 })
  const { document, signer } = context
  const { ui } = signer.requested
  const language = chooseLanguage(call.headers, call.query.get('lang') ?? '', textIn(objectIn(ui).language))
  if (call.query.get('outdated') === '1') return outdatedPage(context, language)
  if (isExpired(context)) return plainPage('linkExpired', language, { status: 410 })
  if (isUnknown(signer) && obstacle(signer, document) === undefined)
    return identifyPage(context, language, call.query.get('wrong') === '1')
  openSession(context)
  const again = call.query.get('again') === '1'
  if (!again) tellOpened(context, call)
  const message = messageOf(context)
  const said = [...(again ? [] : [about('app_started', document)]), ...(message && isFinal(context) ? [message] : [])]
  const messages = receiverOf(signer) ? said : []
  return signerPage({
    context,
    language,
    messages,
    again,
    closed: message && closedText(context, signerTexts[language]),
  })
}

/** Whether the link itself has expired (`signUrlExpires`) before the document has. */
function isExpired({ signer, document, world }: SignerContext): boolean {
  const until = Date.parse(textIn(signer.requested.signUrlExpires))
  return until <= world.clock.now() && obstacle(signer, document) === undefined
}

function contextOrNone(call: Call, world: World): SignerContext | undefined {
  try {
    return findSignerContext(call.query.get('jwt') ?? '', world)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

function tellOpened({ document, signer, world }: SignerContext, call: Call): void {
  const { id, externalSignerId } = signer
  signer.lastAct = 'opened'
  // The signer has used the link, so the e-mail with the link must have been opened.
  if (signer.mail === 'sent') {
    signer.mail = 'opened'
    const email = textIn(objectIn(signer.requested.signerInfo).email)
    tell('document_email_opened', document, world, { email, signer: { id, externalSignerId } })
  }
  tell('document_link_opened', document, world, { ...originOfCall(call), signer: { id, externalSignerId } })
}

/**
 * Whether the signer can never sign any more. Only then does the page post a message; it posts no message while the
 * signer waits for others.
 */
function isFinal({ document, signer }: SignerContext): boolean {
  return ['signed', 'canceled', 'expired'].includes(document.status) || signer.signature !== undefined
}

function closedText({ document, signer }: SignerContext, texts: Texts): string {
  if (document.status === 'expired') return texts.expired
  if (document.status === 'canceled') return texts.documentCanceled
  if (document.status === 'signed' || signer.signature) return texts.alreadySigned
  return obstacle(signer, document) === undefined ? '' : texts.waiting
}

/** A page with a single message. */
function plainPage(
  text: 'unknown' | 'outdated' | 'linkExpired',
  language: PageLanguage,
  more: Partial<Page>,
  data = '',
): Answer {
  const texts = signerTexts[language]
  const body = `${notice(language)}<main><h1 class="card">${escape(texts[text])}</h1></main>${data}`
  const style = 'main { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }'
  return page({ title: texts.app, lang: langOf(language), body, style, ...more })
}

/** The page for a browser that is too old for the app: a single message, without the app. */
function outdatedPage({ signer }: SignerContext, language: PageLanguage): Answer {
  const receiver = receiverOf(signer)
  const script = receiver && pageScript(__dirname, 'outdated')
  const data = receiver ? embedData('receiver', receiver) : ''
  return plainPage('outdated', language, { script, frameAncestors: frameAncestors(signer) }, data)
}
