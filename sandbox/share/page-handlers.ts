/** The recipient's side of a share: identify, then list and download (`docs/interface.md` 2.3, 6.3). */
import { randomUUID } from 'node:crypto'
import { access } from 'node:fs/promises'
import { errorAnswer, notFound, httpError } from '../server/answers'
import type { Answer, Call, Route } from '../server/call'
import { textIn, type JsonObject } from '../server/json'
import { readValues, wantsPage } from '../pages/form'
import type { World } from '../world'
import { emitShare } from './events'
import { tellOwner } from './notices'
import { closedPage, filesPage, identifyPage, unknownPage } from './page'
import type { Content, Recipient, Share, RecipientContext } from './state'

export const recipientRoutes: readonly Route[] = [
  { method: 'GET', path: '/shared/:token', open: true, handle: open },
  { method: 'POST', path: '/shared/:token', open: true, handle: identify },
  { method: 'GET', path: '/shared/:token/files/:contentId', open: true, handle: download },
]

const LOGIN_MS = 20 * 60 * 1000

/**
 * The providers offered if a recipient's list is empty. The service's documentation does not say what an empty list
 * means: here, the recipient may identify, or continue without identification.
 */
const anyProvider = ['NO_EID_MOBILE', 'NO_EID_WEB', 'SWE_EID', 'DA_EID', 'FI_EID']

/** `GET /shared/{token}`: the page on which the recipient identifies or, with `?session=`, the files. */
function open(call: Call, world: World): Answer {
  if (wantsPage(call) && !world.share.pages.get(call.param('token'))?.share.announced) return unknownPage(call)
  const context = findRecipientContext(call, world)
  const session = call.query.get('session') ?? ''
  const within = isLoggedIn(context, session, world)
  const closed = within ? undefined : whyClosed(context, world)
  if (closed) return wantsPage(call) ? closedPage(context, call, closed) : closed
  if (within) return wantsPage(call) ? filesPage(context, call, session) : { json: fileList(context, session, world) }
  const providers = providersFor(context.recipient)
  return wantsPage(call) ? identifyPage(context, call, providers) : { json: { identityProviders: providers } }
}

/**
 * `POST /shared/{token}` {identityProvider, ssn?, dateOfBirth?}, as a form or JSON: requires one of the given
 * providers, and the right person. A script gets {session, files}.
 */
function identify(call: Call, world: World): Answer {
  const context = findRecipientContext(call, world)
  const closed = whyClosed(context, world)
  if (closed) return wantsPage(call) ? closedPage(context, call, closed) : closed
  const value = readValues(call)
  if (!isThePerson(context.recipient, value)) {
    if (wantsPage(call)) return identifyPage(context, call, providersFor(context.recipient), true)
    throw httpError(
      403,
      'NOT_THE_RECIPIENT',
      'The share is for another person, or another identity provider is required.',
    )
  }
  const session = logIn(context, world)
  if (!wantsPage(call)) return { json: fileList(context, session, world) }
  return { status: 303, headers: { Location: `/shared/${context.recipient.token}?session=${session}` } }
}

/**
 * `GET /shared/{token}/files/{contentId}?session=`: the bytes, which a browser always saves and never shows. If the
 * session has ended, a browser is redirected to the page on which the recipient identifies.
 */
async function download(call: Call, world: World): Promise<Answer> {
  const context = findRecipientContext(call, world)
  const { share, recipient } = context
  if (!isLoggedIn(context, call.query.get('session') ?? '', world)) {
    if (wantsPage(call)) return { status: 303, headers: { Location: `/shared/${recipient.token}` } }
    throw httpError(401, 'IDENTIFY_FIRST', 'Identify first.')
  }
  const content = recipient.content.find(({ id }) => id === call.param('contentId'))
  if (!content?.file || !(await exists(content.file.path))) throw notFound('file')
  markOpened(world, share, recipient, content)
  const name = encodeURIComponent(content.file.name || content.name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  )
  const headers = {
    'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
  return { file: content.file.path, headers }
}

function findRecipientContext(call: Call, world: World): RecipientContext {
  const context = world.share.pages.get(call.param('token'))
  if (!context?.share.announced) throw notFound('share')
  return context
}

function isLoggedIn({ share, recipient }: RecipientContext, session: string, world: World): boolean {
  const now = world.clock.now()
  return !share.deleted && recipient.expires > now && (recipient.logins.get(session) ?? 0) > now
}

function whyClosed({ share, recipient }: RecipientContext, world: World): Answer | undefined {
  if (share.deleted) return errorAnswer(410, 'SHARE_DELETED', 'The share was deleted.')
  if (recipient.expires <= world.clock.now()) return errorAnswer(410, 'ACCESS_EXPIRED', 'Your access has ended.')
  if (!recipient.oneTimeLogin || !recipient.loggedIn) return undefined
  return errorAnswer(403, 'ONE_TIME_LOGIN', 'This link could be used once, and has been used.')
}

function providersFor({ authentication }: Recipient): readonly string[] {
  const required = authentication.map(({ identityProvider }) => textIn(identityProvider)).filter(Boolean)
  return required.length > 0 ? [...new Set(required)] : anyProvider
}

function isThePerson(recipient: Recipient, value: (name: string) => string): boolean {
  const provider = value('identityProvider')
  if (provider === '' && recipient.authentication.length === 0) return true
  if (!providersFor(recipient).includes(provider)) return false
  const demands = recipient.authentication.filter((one) => [provider, ''].includes(textIn(one.identityProvider)))
  const met = ({ ssn, dateOfBirth }: JsonObject) =>
    (!textIn(ssn) || textIn(ssn) === value('ssn')) &&
    (!textIn(dateOfBirth) || textIn(dateOfBirth) === value('dateOfBirth'))
  return demands.length === 0 || demands.some(met)
}

function logIn({ share, recipient }: RecipientContext, world: World): string {
  const session = randomUUID()
  recipient.loggedIn = true
  recipient.logins.clear()
  recipient.logins.set(session, world.clock.now() + LOGIN_MS)
  emitShare(world, share, 'share_recipients_authenticated', recipient)
  tellOwner(world, share, recipient)
  return session
}

function fileList({ recipient }: RecipientContext, session: string, world: World): JsonObject {
  const at = `${world.url}/shared/${recipient.token}/files`
  const files = recipient.content.map(({ id, name, file }) => ({
    id,
    name,
    fileName: file?.name,
    size: file?.size,
    sha256: file?.sha256,
    url: `${at}/${encodeURIComponent(id)}?session=${session}`,
  }))
  return { session, files }
}

function markOpened(world: World, share: Share, recipient: Recipient, { id }: Content): void {
  const isFirst = !recipient.opened.has(id)
  if (isFirst) recipient.opened.set(id, world.clock.iso())
  emitShare(world, share, 'share_recipient_downloaded', recipient, { ContentIdList: [id] })
  const everyone = share.recipients.every((one) => one.content.every((item) => one.opened.has(item.id)))
  if (isFirst && everyone) emitShare(world, share, 'share_downloaded')
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
