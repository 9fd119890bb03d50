/** "Send a test": sends one share from the form to one recipient at the typed address. */
import { inputError } from '../../lib/api/errors/errors'
import { createShare, uploadToShare } from '../../lib/api/shares'
import type { PlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'
import { literalSettings, readLiteral, type SendTest, type TestOrder } from '../../lib/runtime/service/send-test'
import { problemsOf, rowProblems } from './checks'
import { toRequest } from './request'
import { fields } from './share-create.fields'

const daysOfAccess = '7'

/** Sends the test: registers the share and uploads a small file. Rejects with an EidError. */
export const sendTestShare: SendTest = async (order) => {
  const { api, client, signal, translate } = order
  const { config, left } = literalSettings(fields, order.settings)
  const name = String(config.title || translate('label'))
  const title = translate('sendTest.titled', { title: name })
  const [item = {}] = config.contentRows as PlainObject[]
  const contentId = String(item.id || 'file-1')
  const typed = {
    ...config,
    title,
    titleType: 'str',
    description: config.description || title,
    descriptionType: 'str',
    contentType: 'form',
    contentRows: [{ ...item, id: contentId, name: item.name || name, type: item.type || 'file' }],
    recipientsType: 'form',
    recipientsRows: [recipientRow(config.recipientsRows, order)],
    ...(!config.expires && { expires: daysOfAccess, expiresType: 'days' }),
    loginNoticeTo: '',
    more: '',
    body: '',
    bodyType: 'auto',
  }
  const { values, problems } = await readLiteral(order.RED, fields, typed)
  const body = toRequest(values, client, Date.now(), {})
  const contradictions = values.recipients?.from === 'form' ? rowProblems(values.recipients.rows) : []
  const all = [...problems, ...contradictions, ...problemsOf(body, true, Date.now())]
  if (all.length > 0) throw inputError(all)

  const { data } = await createShare(api, client, body, { signal })
  const shareId = String(getPath(data, 'id'))
  const makeBody = async () => {
    const { multipartFile } = await import('../../lib/api/call/multipart.js')
    const { data: file, headers } = multipartFile({ content: Buffer.from(translate('sendTest.content')), fileName })
    return { data: file, headers }
  }
  await uploadToShare(api, client, { shareId, contentId }, { makeBody, signal })
  return { title, file: fileName, url: await linkOf(order, shareId), left }
}

const fileName = 'test.txt'

function recipientRow(rows: unknown, { to, translate }: TestOrder): PlainObject {
  const [first = {}] = rows as PlainObject[]
  return {
    ...first,
    firstName: first.firstName || translate('sendTest.firstName'),
    lastName: first.lastName || translate('sendTest.lastName'),
    ...to,
    emailType: 'str',
    mobileCountryCodeType: 'str',
    mobileNumberType: 'str',
    notificationRequest: 'SendEmail',
    notificationRequestType: 'str',
    notificationReminder: '',
    uploads: '',
    expires: '',
  }
}

/** Returns the recipient's link, if the client may read it. Without the link, the test has still been sent. */
async function linkOf({ api, signal }: TestOrder, id: string): Promise<string | undefined> {
  const answer = await api.send('getBucket', { params: { id }, signal }).catch(() => undefined)
  const url = getPath((getPath(answer?.data, 'recipients') as unknown[] | undefined)?.[0], 'url')
  return typeof url === 'string' ? url : undefined
}
