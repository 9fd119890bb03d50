/** The other parties of a share: the sender who creates it, and the recipients who download their files. */
import should from 'should'
import { startParties, type Parties } from './parties'
import type { Service } from './service'

const day = 24 * 60 * 60_000

/**
 * Creates a share with one file. For each entry of `days`, the share has a recipient with access for this number of
 * days.
 */
export async function createShare(service: Service, parties: Parties, ...days: readonly number[]): Promise<string> {
  const recipient = (count: number) => ({
    firstName: 'Ola',
    lastName: 'Nordmann',
    email: 'ola.nordmann@example.com',
    expires: new Date(service.sandbox.clock.now() + count * day).toISOString(),
    mobile: { countryCode: 47, number: 99999999 },
    uploads: [],
    authentication: [],
  })
  const { id } = await parties.call<{ id: string }>('POST', '/share/buckets/', {
    information: { title: 'Payroll', description: 'October' },
    content: [{ id: 'slip', name: 'Slip', type: 'file' }],
    recipients: days.map(recipient),
  })
  const form = new FormData()
  form.append('file', new Blob(['paid']), 'slip.txt')
  const headers = { Authorization: `Bearer ${await tokenOf(service)}` }
  const answer = await fetch(`${service.url}/share/buckets/${id}/upload/slip`, { method: 'POST', headers, body: form })
  should(answer.ok).be.true()
  return id
}

/** Identifies as one of the recipients and downloads everything. */
export async function receive(service: Service, shareId: string, recipient = 0): Promise<void> {
  // Gets a new token, because a token from before the clock was moved may have expired.
  const parties = await startParties(service)
  const share = await parties.call<{ recipients: { url: string }[] }>('GET', `/share/buckets/${shareId}`)
  const url = share.recipients[recipient]?.url ?? ''
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const body = JSON.stringify({ identityProvider: 'NO_EID_MOBILE' })
  const answer = await fetch(url, { method: 'POST', headers, body })
  const { session } = (await answer.json()) as { session: string }
  const file = await fetch(`${url}/files/slip?session=${session}`)
  should(await file.text()).equal('paid')
}

async function tokenOf({ url }: Service): Promise<string> {
  const answer = await fetch(`${url}/oauth/connect/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&scope=share_write&client_id=sandbox&client_secret=sandbox',
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
