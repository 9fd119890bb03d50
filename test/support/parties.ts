/**
 * The other parties in a test: another system that creates objects, signers who sign, people who identify themselves.
 */
import type { Service } from './service'

export interface Parties {
  /** Calls the service as another system; rejects with the text of the answer if the service refuses. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Uploads a file as a form. */
  upload(path: string, bytes: Uint8Array<ArrayBuffer>, fileName: string): Promise<void>
  createDocument(externalId: string, signers?: number, advanced?: object): Promise<CreatedDocument>
  createSession(flow?: string): Promise<{ id: string; url: string }>
}

export interface CreatedDocument {
  documentId: string
  signers: { id: string; url: string }[]
}

const scopes =
  'document_read document_write document_file event identify share_read share_write deposit_read deposit_write'

/** Creates a system with its own token. */
export async function startParties({ url }: Pick<Service, 'url'>): Promise<Parties> {
  const token = await fetch(`${url}/oauth/connect/token`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=${encodeURIComponent(scopes)}`,
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  return {
    call,
    async upload(path, bytes, fileName) {
      const body = new FormData()
      body.append('file', new Blob([bytes]), fileName)
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${access_token}` },
        body,
      })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    },
    createDocument: (externalId, signers = 1, advanced = {}) =>
      call('POST', '/signature/documents', {
        title: `Contract ${externalId}`,
        externalId,
        advanced,
        contactDetails: { email: 'kari.nordmann@example.com' },
        dataToSign: { fileName: 'contract.txt', base64Content: Buffer.from('agreed').toString('base64') },
        signers: Array.from({ length: signers }, (_none, index) => ({
          externalSignerId: `signer-${index}`,
          redirectSettings: { redirectMode: 'iframe_with_webmessaging', domain: '127.0.0.1' },
          signatureType: { mechanism: 'pkisignature' },
        })),
      }),
    createSession: (flow = 'iframe') =>
      call('POST', '/identification/v2/sessions', {
        flow,
        allowedProviders: ['no_eid_mobile'],
        redirectSettings: {
          successUrl: 'https://a.example/s',
          abortUrl: 'https://a.example/a',
          errorUrl: 'https://a.example/e',
        },
        iframeSettings: { parentDomains: ['http://127.0.0.1'], postMessageTargetOrigin: 'http://127.0.0.1' },
      }),
  }
}

/** Performs an action in the signer app: sign, cancel, fail. */
export async function act(signerUrl: string, action = 'sign'): Promise<void> {
  const app = new URL(signerUrl)
  const answer = await fetch(`${app.origin}/sign/${app.searchParams.get('jwt') ?? ''}/${action}`, { method: 'POST' })
  if (answer.status >= 400) throw new Error(`${action}: ${answer.status} ${await answer.text()}`)
}

/** Ends a session as its user: success, abort, fail. */
export async function identify(sessionUrl: string, action = 'success'): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const answer = await fetch(sessionUrl, { method: 'POST', headers, body: JSON.stringify({ action }) })
  if (answer.status >= 400) throw new Error(`${action}: ${answer.status} ${await answer.text()}`)
}

/** Creates a document that all its signers have signed, with its files packaged; resolves with its id. */
export async function signedDocument(service: Service, externalId: string): Promise<string> {
  const parties = await startParties(service)
  const { documentId, signers } = await parties.createDocument(externalId)
  for (const { url } of signers) await act(url)
  // Packaging takes a moment.
  await service.sandbox.clock.advance(5000)
  return documentId
}
