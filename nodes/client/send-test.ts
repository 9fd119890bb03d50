/** The "send a test" route: sends one document or share from a form, deployed or not, and reports what was sent. */
import { editorJson, objectIn } from '../../lib/runtime/http/editor-only'
import { email } from '../../lib/settings/rules'
import type { Fields } from '../../lib/settings/fields'
import { toEidError } from '../../lib/runtime/node-red/errors'
import { hosted } from '../../lib/runtime/node-red/host'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red/node-red'
import { createSharedAnswers } from '../../lib/runtime/http/shared-answers'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { lastPart } from '../../lib/runtime/files/read-file'
import type { SendTest, TestOrder } from '../../lib/runtime/service/send-test'
import { createTranslate, type Translate } from '../../lib/runtime/node-red/texts'
import { completeTyped, readTyped } from '../../lib/runtime/values/typed-settings'
import { fields as documentFields } from '../create-document/create-document.fields'
import { fields as shareFields } from '../share-create/share-create.fields'
import { fields } from './client.fields'
import { rowOf } from './read-source'
import { buildClient, readSettings } from './settings'
import { places } from './test-connection'

interface SendTestAnswer {
  readonly ok: boolean
  readonly text: string
  /** The link for the recipient of the test. */
  readonly url?: string | undefined
  /**
   * True if nothing has been sent because the client uses the live service. The form must request the test again with
   * `live`.
   */
  readonly ask?: boolean
}

interface TestKind {
  readonly fields: Fields
  /** Loads the code of the test on first use. */
  readonly load: () => Promise<SendTest>
}

const kinds: Readonly<Record<string, TestKind>> = {
  'create-document': {
    fields: documentFields,
    load: async () => (await import('../create-document/test-document.js')).sendTestDocument,
  },
  'share-create': {
    fields: shareFields,
    load: async () => (await import('../share-create/test-share.js')).sendTestShare,
  },
}

/**
 * Milliseconds during which a test is recognized by the key that the form sends, so that a second click sends no second
 * test.
 */
const repeatMs = 600_000
const createOnce = () => createSharedAnswers<SendTestAnswer>(repeatMs)

/** Registers `POST eid/send-test`, for people who may deploy. */
export function registerSendTestRoute(RED: Runtime): void {
  RED.httpAdmin.post('/eid/send-test', ...editorJson(RED), (request, response) => {
    void answer(RED, request, response)
  })
}

async function answer(RED: Runtime, request: HttpRequest, response: HttpResponse): Promise<void> {
  const body = objectIn(request)
  const kind = Object.hasOwn(kinds, String(body.set)) ? kinds[String(body.set)] : undefined
  if (!kind) return void response.status(400).end()
  const translate = createTranslate(RED, String(body.set), kind.fields)
  const key = typeof body.key === 'string' && body.key !== '' ? body.key : undefined
  const run = () => sendOnce(RED, kind, body, translate)
  response.json(await (key === undefined ? run() : hosted(RED, createOnce)(key, run)))
}

/** Sends the test. Never rejects: a failure is returned as a sentence without personal data. */
async function sendOnce(
  RED: Runtime,
  kind: TestKind,
  body: Readonly<Record<string, unknown>>,
  translate: Translate,
): Promise<SendTestAnswer> {
  try {
    return await send(RED, kind, body, translate)
  } catch (thrown) {
    return { ok: false, text: toEidError(thrown, translate).message }
  }
}

const limitMs = 60_000

async function send(
  RED: Runtime,
  kind: TestKind,
  body: Readonly<Record<string, unknown>>,
  translate: Translate,
): Promise<SendTestAnswer> {
  const to = readTo(body.to)
  const wrong = email(to.email)
  if (wrong) return { ok: false, text: translate(`problems.${wrong}`, { path: translate('sendTest.email') }) }
  const typed = completeTyped(RED, readTyped(body.client), { type: 'eid-client', fields, places })
  if (typed === 'elsewhere') return { ok: false, text: translate('test.secretElsewhere') }
  const client = readSettings({ ...typed.settings, id: '', type: 'eid-client' })
  const live = client.environment === 'live'
  if (live && body.live !== true) return { ok: false, ask: true, text: translate('sendTest.ask', { email: to.email }) }
  const api = await buildClient(RED, typed.settings, typed.credentials)
  try {
    const settings = isPlainObject(body.settings) ? body.settings : {}
    const signal = AbortSignal.timeout(limitMs)
    const listed = await listedRow(RED, body)
    const order: TestOrder = { RED, settings, listed, to, api, client, signal, translate }
    const sent = await (await kind.load())(order)
    const { title, file, url } = sent
    const words = translate(live ? 'sendTest.sentLive' : 'sendTest.sentSandbox', { title, file, email: to.email })
    const left = sent.left.map((name) => translate.label(name)).join(', ')
    const without = left === '' ? '' : ` ${translate('sendTest.left', { left })}`
    return { ok: true, text: [words, sent.filled].filter(Boolean).join(' ') + without, url }
  } finally {
    await api.close()
  }
}

/** The row that the form shows in its preview; undefined if there is no such list or row. */
async function listedRow(RED: Runtime, body: PlainObject): Promise<TestOrder['listed']> {
  const found = await rowOf(RED, body).catch(() => undefined)
  if (!found || 'problem' in found || !isPlainObject(body.list)) return undefined
  return { ...found, number: Number(body.row), file: lastPart(String(body.list.path)) ?? '' }
}

function readTo(given: unknown): TestOrder['to'] {
  const { email, mobileCountryCode, mobileNumber } = isPlainObject(given) ? given : {}
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  return { email: text(email), mobileCountryCode: text(mobileCountryCode), mobileNumber: text(mobileNumber) }
}
