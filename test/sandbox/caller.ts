/** Calls a sandbox over HTTP as an API client would, with a token. */
import { startSandbox, type Sandbox } from '../../sandbox'

/** An answer; `Body` is what the test expects its JSON to be. */
interface Reply<Body> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Body
}

/** An error in the service's format. */
export interface ErrorBody {
  readonly message: string
  readonly code: string
  readonly errors: readonly { readonly field: string; readonly message: string }[]
}

export interface Caller {
  readonly sandbox: Sandbox
  call<Body = ErrorBody>(method: string, path: string, body?: unknown): Promise<Reply<Body>>
  /** Makes a call without a token; `path` may be a whole address. */
  open<Body = ErrorBody>(method: string, path: string, body?: unknown): Promise<Reply<Body>>
  /** Uploads one file as multipart. */
  upload(path: string, bytes: string, fileName?: string, part?: string): Promise<Reply<ErrorBody>>
  /** Gets a new token, as a client does when the clock was moved past the end of the old one's lifetime. */
  renew(): Promise<void>
  /** Resets the sandbox and gets a new token. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function startCaller(): Promise<Caller> {
  const sandbox = await startSandbox({ port: 0 })
  let token = await fetchToken(sandbox)
  const renew = async () => void (token = await fetchToken(sandbox))
  const at = (path: string) => (path.startsWith('http') ? path : sandbox.url + path)
  const send = async <Body>(path: string, init: RequestInit) =>
    read<Body>(await fetch(at(path), { redirect: 'manual', ...init }))
  return {
    sandbox,
    call: (method, path, body) => send(path, { method, ...json(body, { Authorization: `Bearer ${token}` }) }),
    open: (method, path, body) => send(path, { method, ...json(body, { Accept: 'application/json' }) }),
    upload(path, bytes, fileName = 'file.txt', part = 'file') {
      const form = new FormData()
      form.append(part, new Blob([bytes]), fileName)
      return send(path, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form })
    },
    renew,
    reset: () => {
      sandbox.world.reset()
      return renew()
    },
    close: () => sandbox.close(),
  }
}

function json(body: unknown, headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers }
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

async function read<Body>(response: Response): Promise<Reply<Body>> {
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  const parsed: unknown = isJson ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json: parsed as Body }
}

/** A token of the sandbox's own client, as the token endpoint gives it. */
export async function fetchToken({ url }: Sandbox): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox' })
  const response = await fetch(`${url}/oauth/connect/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
