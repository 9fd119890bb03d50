/** "Send a test": creates one document from the form, for a single signer at an address entered there. */
import { randomUUID } from 'node:crypto'
import { createDocument } from '../../lib/api/documents'
import { inputError } from '../../lib/api/errors/errors'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { originsIn } from '../../lib/runtime/values/origins'
import { getPath } from '../../lib/runtime/values/read-text'
import { fieldsOfFile } from '../../lib/runtime/files/word-file'
import { fillWithSamples, sampleFor } from '../../lib/runtime/service/word-samples'
import { literalSettings, readLiteral, type SendTest, type TestOrder } from '../../lib/runtime/service/send-test'
import { problemsOf } from './checks'
import { fields } from './create-document.fields'
import { readDocumentFile } from './file'
import { questionProblems } from './questions'
import { commonOf, toRequest, withCommon } from './request'
import { textProblems } from './texts'

/**
 * Settings that are left out of a test, because they concern other people or would prevent the test from completing.
 */
const notTested = {
  signedFileTo: '',
  remindOn: '',
  remindAtMost: '',
  receipts: '',
  requiredSignatures: '',
  attachments: '',
  convertToPdf: '',
  externalId: '',
  externalIdType: 'msg',
  body: '',
  bodyType: 'auto',
  signersType: 'form',
}

/** Sends the test. Rejects with an EidError, also if values in the form are missing or wrong. */
export const sendTestDocument: SendTest = async (order) => {
  const { RED, listed } = order
  const { config, left, unknown } = literalSettings(fields, order.settings, { RED, row: listed?.row })
  const named = order.translate('sendTest.titled', { title: String(config.title || order.translate('label')) })
  const typed: Record<string, unknown> = {
    ...config,
    ...notTested,
    title: named,
    titleType: config.titleType === 'tpl' ? 'tpl' : 'str',
    ...(!config.contactEmail && { contactEmail: order.to.email, contactEmailType: 'str' }),
    signersRows: [signerRow(config.signersRows, order)],
    questionsRows: filledIn(config.questionsRows, ['label', 'key']),
    textsRows: filledIn(config.textsRows, ['text', 'smsText', 'subject']),
  }
  const samples = Object.fromEntries(unknown.map((name) => [name, sampleFor(name)]))
  const { values, problems } = await readLiteral(RED, fields, typed, {
    row: { ...samples, ...listed?.row },
    shown: listed?.shown ?? {},
  })
  const { unknown: unfilled, ...file } = await testFile(values, typed, order)
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
  const filled = filledFrom(order, hasFields(typed) || unfilled !== undefined, [...unknown, ...(unfilled ?? [])])
  return { title: values.title ?? named, file: fileName, url: typeof url === 'string' ? url : undefined, left, filled }
}

/** Whether a text of the form has fields in braces, or a value comes with the message. */
const hasFields = (config: PlainObject): boolean =>
  Object.entries(config).some(([name, value]) =>
    Array.isArray(value)
      ? value.filter(isPlainObject).some(hasFields)
      : (value === 'tpl' && /\{[^{}]+\}/.test(String(config[name.replace(/Type$/, '')]))) ||
        isRowProperty(config, name),
  )

const isRowProperty = (config: PlainObject, name: string) =>
  config[name] === 'msg' && /^payload[.[]/.test(String(config[name.replace(/Type$/, '')]))

/** Describes where the test's values come from; undefined if nothing had to be filled in. */
function filledFrom({ listed, translate }: TestOrder, isFilled: boolean, unknown: readonly string[]) {
  if (!isFilled) return undefined
  if (!listed) return translate('sendTest.fromSamples')
  const from = translate('sendTest.fromRow', { row: listed.number, list: listed.file })
  const names = [...new Set(unknown)].map(sampleFor).join(', ')
  return names === '' ? from : `${from} ${translate('sendTest.notInRow', { fields: names })}`
}

/**
 * Returns the form's first row, with the address of the test's recipient, notification by e-mail and, if the row has no
 * name, a name for the test.
 */
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
    mobileCountryCode: '',
    mobileNumber: '',
    externalSignerId: '',
    order: '',
    required: '',
    // A test has no phone number to which a code could be sent, so authentication by SMS is left out.
    ...(byText && { authentication: '' }),
  }
}

/** Returns the rows that have a value in one of these columns, except rows for reminders. */
const filledIn = (rows: unknown, columns: readonly string[]) =>
  (rows as PlainObject[]).filter((row) => columns.some((one) => (row[one] ?? '') !== '') && row.occasion !== 'reminder')

/**
 * The parts of a signer in *More fields* that a test keeps: appearance and way of signing. All other parts are
 * personal.
 */
const ofNobody = ['ui', 'signatureType', 'redirectSettings']

/** Returns *More fields* without notices, which go to other people, and without personal data of signers. */
function withoutOthers(more: PlainObject | undefined): PlainObject | undefined {
  if (!more) return undefined
  // The service may ignore the case of names, so these patterns ignore it too.
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

/**
 * Returns the form's file. If the file comes with the message, returns a page saying that this is a test. `unknown` are
 * the fields of a Word file that have no value, and those that are empty although they may not be.
 */
async function testFile(values: Parameters<typeof toRequest>[0], config: PlainObject, order: TestOrder) {
  const { RED, client, signal, translate, settings, listed } = order
  const where = { client, signal, workingDirectory: RED.settings.fileWorkingDirectory }
  const given = (settings.fieldsType === 'form' ? (settings.fieldsRows as PlainObject[] | undefined) : undefined) ?? []
  let unknown: string[] | undefined
  const found = await readDocumentFile(
    { ...where, values, origin: originsIn(fields, config), columns: new Map(), msg: {} },
    async (bytes) => {
      const inFile = await fieldsOfFile(bytes)
      if ('key' in inFile) return { problems: [{ path: 'file', ...inFile }] }
      if (inFile.length === 0) return { bytes }
      const known = given.map(({ name, value, valueType: type, mayBeEmpty }) => ({ name, value, type, mayBeEmpty }))
      const filled = await fillWithSamples(RED, bytes, { fields: inFile, given: known, row: listed })
      unknown = [...filled.unknown, ...filled.empty]
      return 'bytes' in filled ? filled : { problems: filled.problems.map((one) => ({ path: 'fields', ...one })) }
    },
  )
  if (found.problems.length > 0 || getPath(found.dataToSign, 'base64Content') !== undefined)
    return { ...found, unknown }
  const content = Buffer.from(`${translate('sendTest.content')}\n`)
  return {
    problems: [],
    unknown,
    dataToSign: { base64Content: content.toString('base64'), fileName: 'test.txt' },
  }
}
