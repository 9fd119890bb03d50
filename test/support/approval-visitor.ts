/** A browser that visits the addresses of approvers: it keeps cookies, and follows no redirect by itself. */
import { until } from './time'

interface View {
  readonly state: string
  readonly url?: string
  readonly providers?: readonly string[]
  readonly shown?: { name: string; details: { label: string; text: string }[]; proposer: string; digest: string }
}

export interface Visitor {
  /** The cookies of the browser, by name. */
  readonly cookies: Map<string, string>
  /** Opens an address. */
  open(address: string): Promise<Response>
  /** Calls what the page's script calls. */
  call(page: string, place: string, body?: object, headers?: Record<string, string>): Promise<Response>
  /** The view after a call. */
  view(page: string, place: string, body?: object): Promise<View>
  /** Begins an identification; returns the address of the service's page. */
  begin(page: string): Promise<string>
  /** Identifies at the service, and comes back to the page as a browser does. Returns the address the browser ends at. */
  identify(session: string, who: object): Promise<string>
  /** Does both, and returns what the page shows. */
  identifyAt(page: string, who: object): Promise<View>
}

export function createVisitor(): Visitor {
  const cookies = new Map<string, string>()
  const keep = (response: Response) => {
    for (const one of response.headers.getSetCookie()) {
      const [pair = ''] = one.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const visitor: Visitor = {
    cookies,
    open: async (address) => keep(await fetch(address, { headers: { Cookie: cookie() }, redirect: 'manual' })),
    async call(page, place, body = {}, headers = {}) {
      const own = { 'Content-Type': 'application/json', Origin: new URL(page).origin, Cookie: cookie() }
      const sent = { ...own, ...headers }
      return keep(await fetch(`${page}/${place}`, { method: 'POST', headers: sent, body: JSON.stringify(body) }))
    },
    view: async (page, place, body) => (await (await visitor.call(page, place, body)).json()) as View,
    async begin(page) {
      const { url, state } = await visitor.view(page, 'start')
      if (url === undefined) throw new Error(`not begun: ${state}`)
      return url
    },
    async identify(session, who) {
      const back = await identifyAt(session, who)
      const response = await visitor.open(back)
      const next = response.headers.get('location')
      return next === null ? back : new URL(next, back).href
    },
    async identifyAt(page, who) {
      await visitor.identify(await visitor.begin(page), who)
      return until(async () => {
        const view = await visitor.view(page, 'state')
        return view.state === 'checking' ? undefined : view
      })
    },
  }
  return visitor
}

/** Identifies at the service's page, and returns the address to which the service sends the browser. */
export async function identifyAt(session: string, who: object): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const body = JSON.stringify({ action: 'success', ...who })
  const answer = await fetch(session, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { redirect: string }).redirect
}
