/** What the sandbox's share tests share: requests for a share, and functions that create, fill and read one. */
import { startCaller, type Caller, type ErrorBody } from './caller'

export interface ShareBody extends ErrorBody {
  id: string
  information: Record<string, unknown>
  uploadedDocuments: number
  done: boolean
  recipients: { firstName: string; url?: string; content: { id: string; opened: boolean }[] }[]
}

interface FilesBody extends ErrorBody {
  session: string
  files: { id: string; url: string; sha256: string; fileName: string }[]
}

export const DAY = 24 * 3600 * 1000

/** One sandbox for the file, reset before each test, with functions for its shares. */
export function useShares() {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const inDays = (days: number) => new Date(caller.sandbox.clock.now() + days * DAY).toISOString()
  const recipient = (more: object = {}) => ({
    firstName: 'Ola',
    lastName: 'Nordmann',
    email: 'ola.nordmann@example.com',
    expires: inDays(10),
    mobile: { countryCode: '47', number: '99999999' },
    uploads: ['payslip'],
    authentication: [{ identityProvider: 'NO_EID_MOBILE' }],
    notification: { setup: { request: 'SendBoth', reminder: 'SendSms' }, language: 'EN' },
    ...more,
  })
  const draft = (...recipients: object[]) => ({
    information: { title: 'Payslips', description: 'Your payslip', externalId: 'run-1' },
    content: [
      { id: 'payslip', name: 'Payslip', type: 'file' },
      { id: 'rules', name: 'Rules', type: 'file' },
    ],
    recipients: recipients.length > 0 ? recipients : [recipient()],
  })
  const create = async (body: unknown, path = '/share/buckets/') =>
    (await caller.call<ShareBody>('POST', path, body)).json
  const get = async (id: string) => (await caller.call<ShareBody>('GET', `/share/buckets/${id}`)).json
  const complete = async (body: unknown) => {
    const { id } = await create(body)
    await caller.upload(`/share/buckets/${id}/upload/payslip`, 'one', 'lønn.pdf')
    await caller.upload(`/share/buckets/${id}/upload/rules`, 'two')
    return get(id)
  }
  const linkOf = (share: ShareBody, index = 0) => share.recipients[index]?.url ?? ''
  const identify = (url: string, body: object = { identityProvider: 'NO_EID_MOBILE' }) =>
    caller.open<FilesBody>('POST', url, body)
  const outbox = () => caller.sandbox.world.outbox.list()
  const eventTypes = () => [...caller.sandbox.world.notification.events.values()].map((one) => JSON.stringify(one))
  return { caller: () => caller, inDays, recipient, draft, create, get, complete, linkOf, identify, outbox, eventTypes }
}
