/** Creates a document for one or more signers (`interface.md` 2.1, 4.2). */
import { createDocument } from '../../lib/api/documents'
import type { ProblemKey } from '../../lib/api/errors/errors'
import { redact } from '../../lib/api/errors/mask'
import type { PlainObject } from '../../lib/common/plain-object'
import { apiNode } from '../../lib/runtime/node/api-node'
import type { Call } from '../../lib/runtime/node/message-call'
import { shownTitle } from '../../lib/runtime/journal/failed-item'
import { unsendable } from '../../lib/runtime/values/unsendable'
import { unreachable, untoldBy } from '../../lib/runtime/service/untold'
import { getPath, listAt } from '../../lib/runtime/values/read-text'
import { warningsFor, problemsOf } from './checks'
import { fields } from './create-document.fields'
import { checkExisting, findKnown, withLock } from './existing'
import { readDocumentFile } from './file'
import { chooseKey, emptySource, keyOfForm } from './key'
import { largeBody } from './large-body'
import { namelessSigners } from './nameless'
import { questionProblems } from './questions'
import { commonOf, toRequest, withCommon } from './request'
import { textProblems } from './texts'
import { unreachedTexts } from './unreached'

export = apiNode('eid-create-document', fields, async (call) => {
  const { values, msg } = call
  const isListed = values.signers !== undefined
  const file = await readDocumentFile(call)
  const body = withCommon(toRequest(values, file.dataToSign, call.body({})), commonOf(values), isListed)
  const problems = [...file.problems, ...questionProblems(values), ...textProblems(values)]
  // If the given file can't be used, it is not also reported as missing.
  const isRefused = ({ path }: ProblemKey) => path === 'dataToSign' && file.problems.length > 0
  // A key in the request is not used if the form provides one.
  const { externalId: _unused, ...keyless } = body
  const checked = keyOfForm(call) === undefined ? body : keyless
  const own = problemsOf(checked, Date.now()).filter((one) => !isRefused(one))
  // A request that the message brings is sent with a warning, because its sender may pass on the link.
  const unnotified = isListed
    ? listAt(body, 'signers').flatMap((signer, index) => unreachable(signer, `signers[${index}].`))
    : []
  call.check([...problems, ...own, ...namelessSigners(body, call), ...unnotified, ...unsendable(checked)])
  // The title is prepared only if there is a warning, because hiding people's names in it is slow.
  const warn: Warn = (key, params) => {
    const title = shownTitle(String(body.title), body, msg.payload)
    const document = call.translate(title === '' ? 'subjects.unnamed' : 'subjects.title', { title })
    call.warn(key, { document, ...params })
  }
  for (const { key, params } of warningsFor(body, Date.now())) warn(key, params)
  const untold = (body.signers as unknown[]).flatMap((signer, index) => {
    const key = untoldBy(signer, isListed)
    return key ? [{ key, signer: `${call.translate('one.signers')} ${index + 1}` }] : []
  })
  for (const { key, signer } of untold) warn(key, { signer })
  const unreached = warnUnreached(call, body, warn)

  const key = await chooseKey(call, body)
  const empty = key.origin === 'new' ? emptySource(call) : undefined
  if (empty !== undefined) warn('noKeyThere', { source: redact(empty) })
  const { externalId } = key
  // The key is set on the message before the call. If a Catch node sends the message again, the message has the same
  // key, and the service creates no second document.
  call.leave('externalId', externalId)
  const request = { ...body, externalId }
  const { answer, existing } = await withLock(call, key, async () => {
    const known = await findKnown(call, key)
    const answer = await createDocument(call.api, request, largeBody(request))
    return { answer, existing: checkExisting(call, body, key, known, answer) }
  })

  const documentId = getPath(answer.data, 'documentId') ?? getPath(answer.data, 'id')
  if (existing !== false) call.setStatus(existing ? 'existed' : 'createdOrExisted')
  else if (untold.length > 0) call.setStatus('createdUntold', { count: untold.length }, 'yellow')
  else if (unreached > 0) call.setStatus('createdUnreached', {}, 'yellow')
  else if (empty !== undefined) call.setStatus('createdWithoutKey', {}, 'yellow')
  else call.setStatus('created')
  return { payload: answer.data, documentId, externalId, existing, ...linksOf(answer.data) }
})

/** Warns about the document of the message. */
type Warn = Call<typeof fields>['warn']

const languages = ['en', 'no', 'da', 'sv', 'fi', 'nl', 'de']

/** Returns the text parameter for the name of a language; if the language is unknown, its code. */
function languageParam(code: string): string {
  const plain = code.toLowerCase()
  return languages.includes(plain) ? `@words.language.${plain}` : code
}

/** Maximum number of signers named in a warning. */
const mostNamed = 5

/** Warns about texts that are never sent, and returns how many there are. */
function warnUnreached({ translate }: Call<typeof fields>, body: PlainObject, warn: Warn): number {
  const found = unreachedTexts(body)
  for (const { occasion, reasons } of found) {
    const named = reasons.slice(0, mostNamed).map(({ key, language }, index) => {
      const signer = `${translate('one.signers')} ${index + 1}`
      return translate(`unreached.${key}`, { signer, language: languageParam(language) })
    })
    const more = reasons.length > mostNamed ? ['…'] : []
    const word = translate(`words.occasion.${occasion.toLowerCase()}`)
    warn('unreached', { occasion: word, reasons: [...named, ...more].join('; ') })
  }
  return found.length
}

/** Returns the signers with their links; `url` is the link of the first signer by order. */
function linksOf(data: unknown) {
  const found = getPath(data, 'signers')
  const signers = (Array.isArray(found) ? (found as unknown[]) : []).map((one) => ({
    id: getPath(one, 'id'),
    externalSignerId: getPath(one, 'externalSignerId'),
    url: getPath(one, 'url'),
    name: signerName(getPath(one, 'signerInfo')),
    order: Number(getPath(one, 'order')) || 0,
  }))
  const [first] = [...signers].sort((one, other) => one.order - other.order)
  return { signers: signers.map(({ order: _order, ...one }) => one), url: first?.url }
}

function signerName(info: unknown): string | undefined {
  const names = [getPath(info, 'firstName'), getPath(info, 'lastName')]
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ') || undefined
}
