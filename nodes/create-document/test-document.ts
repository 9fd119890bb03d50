/** "Send a test": one document from the form, for one signer at an address that is typed there. */
import { randomUUID } from 'node:crypto'
import { createDocument } from '../../lib/api/documents'
import { inputError } from '../../lib/api/errors/errors'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { originsIn } from '../../lib/runtime/values/values'
import { getPath } from '../../lib/runtime/values/read-text'
import { literalSettings, readLiteral, type SendTest, type TestOrder } from '../../lib/runtime/service/send-test'
import { problemsOf } from './checks'
import { fields } from './create-document.fields'
import { readDocumentFile } from './file'
import { questionProblems } from './questions'
import { commonOf, toRequest, withCommon } from './request'
import { textProblems } from './texts'

/** What concerns other people, or would keep the test from its end. */
const notTested = {
  ...{ signedFileTo: '', remindOn: '', remindAtMost: '', receipts: '' },
  ...{ requiredSignatures: '', attachments: '', convertToPdf: '' },
  ...{ externalId: '', externalIdType: 'msg', body: '', bodyType: 'auto', signersType: 'form' },
}

/** Sends the test. Rejects with an EidError, also for what is missing or wrong in the form. */
export const sendTestDocument: SendTest = async (order) => {
  const { config, left } = literalSettings(fields, order.settings)
  const title = order.translate('sendTest.titled', { title: String(config.title || order.translate('label')) })
  const typed: Record<string, unknown> = {
    ...config,
    ...notTested,
    title,
    titleType: 'str',
    contactEmail: config.contactEmail || order.to.email,
    contactEmailType: 'str',
    signersRows: [signerRow(config.signersRows, order)],
    questionsRows: filledIn(config.questionsRows, ['label', 'key']),
    textsRows: filledIn(config.textsRows, ['text', 'smsText', 'subject']),
  }
  const { values, problems } = await readLiteral(order.RED, fields, typed)
  const file = await testFile(values, typed, order)
  const alone = { ...values, more: withoutOthers(values.more) }
  const body = withCommon(toRequest(alone, file.dataToSign, {}), commonOf(values), true)
  const all = [
    ...problems,
    ...file.problems,
    ...questionProblems(alone),
    ...textProblems(alone),
    ...problemsOf(body, Date.now()),
  ]
  if (all.length > 0) throw inputError(all)
  const request = { ...body, externalId: `test-${randomUUID()}` }
  const { data } = await createDocument(order.api, request, { signal: order.signal })
  const url = getPath((getPath(data, 'signers') as unknown[] | undefined)?.[0], 'url')
  const fileName = String(getPath(file.dataToSign, 'fileName'))
  return { title, file: fileName, url: typeof url === 'string' ? url : undefined, left }
}

/** The first row of the form for the person who gets the test: named, told and reached as is typed for the test. */
function signerRow(rows: unknown, { to, translate }: TestOrder): PlainObject {
  const [first = {}] = rows as PlainObject[]
  const byText = /sms/i.test(String(first.authentication ?? ''))
  return {
    mechanism: 'pkisignature',
    ...first,
    firstName: first.firstName || translate('sendTest.firstName'),
    email: to.email,
    emailType: 'str',
    notification: 'sendEmail',
    notificationType: 'str',
    ...{ mobileCountryCode: '', mobileNumber: '', externalSignerId: '', order: '', required: '' },
    // There is no telephone to send a code to.
    ...(byText && { authentication: '' }),
  }
}

/** The rows of a list that have a value without a message, in one of these columns. */
const filledIn = (rows: unknown, columns: readonly string[]) =>
  (rows as PlainObject[]).filter((row) => columns.some((one) => (row[one] ?? '') !== '') && row.occasion !== 'reminder')

/** How a signer looks and signs; everything else that *More fields* says of one concerns that person. */
const ofNobody = ['ui', 'signatureType', 'redirectSettings']

/** *More fields* without notices, which are other people's, and without the personal data of a signer. */
function withoutOthers(more: PlainObject | undefined): PlainObject | undefined {
  if (!more) return undefined
  // The service may not tell capitals from small letters.
  const rest = without(more, /^(signers|notifications?)$/i)
  const { signers, advanced } = more
  const first: unknown = Array.isArray(signers) ? signers[0] : undefined
  return {
    ...rest,
    ...(isPlainObject(advanced) && { advanced: without(advanced, /^(requiredSignatures|attachments)$/i) }),
    ...(isPlainObject(first) && { signers: [only(first, ofNobody)] }),
  }
}

function without(from: PlainObject, names: RegExp): PlainObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.test(name)))
}

function only(from: PlainObject, names: readonly string[]): PlainObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

/** The file of the form, or a page that says that this is a test when it comes with the message. */
async function testFile(values: Parameters<typeof toRequest>[0], config: PlainObject, order: TestOrder) {
  const { RED, client, signal, translate } = order
  const where = { client, signal, workingDirectory: RED.settings.fileWorkingDirectory }
  const found = await readDocumentFile({ ...where, values, origin: originsIn(fields, config), msg: {} })
  if (found.problems.length > 0 || getPath(found.dataToSign, 'base64Content') !== undefined) return found
  const content = Buffer.from(`${translate('sendTest.content')}\n`)
  return { problems: [], dataToSign: { base64Content: content.toString('base64'), fileName: 'test.txt' } }
}
