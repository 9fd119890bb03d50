/**
 * Starts a Node-RED in a process of its own. Tests call it by HTTP, as people do, and ask about its internals by
 * messages.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary-folder'
import { programOf } from '../program'

export interface RedOptions {
  readonly userDir: string
  readonly flows: readonly object[]
  readonly settings?: Readonly<Record<string, unknown>>
  /** The users and their permissions; without users, no login is needed. */
  readonly people?: Readonly<Record<string, string>>
  readonly withPackage?: boolean
}

/** What the test requests from the process of Node-RED, and what this process answers. */
export type ToRed = 'routes' | 'measure'
export type FromRed = { readonly kind: 'ready'; readonly url: string } | Routes | Measured

interface Routes {
  readonly kind: 'routes'
  /** Routes of the editor's API, such as `GET /flows`. */
  readonly admin: readonly string[]
  readonly node: readonly string[]
}

export interface Measured {
  readonly kind: 'measured'
  /** How many sockets, timers, servers and so on keep the process alive, by kind. */
  readonly resources: Readonly<Record<string, number>>
  readonly listeners: Readonly<Record<'process' | 'events', number>>
  readonly layers: Readonly<Record<'admin' | 'node', number>>
  /** Bytes, after a garbage collection. */
  readonly heap: number
}

export interface RedProcess {
  /** The address of the flows' own routes. */
  readonly url: string
  readonly userDir: string
  /** Calls the editor's API. */
  admin(path: string, init?: RequestInit): Promise<Response>
  /** Logs a person in, and returns the header for their requests. */
  logIn(person: string): Promise<Record<string, string>>
  routes(): Promise<Routes>
  measure(): Promise<Measured>
  /** Deploys all flows again, with the credentials that they contain. */
  deploy(flows: readonly object[]): Promise<void>
  stop(): Promise<void>
}

export async function startRed(options: Omit<RedOptions, 'userDir'>): Promise<RedProcess> {
  const folder = temporaryFolder()
  const all: RedOptions = { ...options, userDir: folder.path }
  const child = fork(await programOf(join(__dirname, 'inspected-program.ts')), [JSON.stringify(all)], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, EID_SANDBOX_PORT: '0' },
  })
  const next = <Kind extends FromRed['kind']>(kind: Kind) =>
    new Promise<Extract<FromRed, { kind: Kind }>>((resolve, reject) => {
      const listen = (message: FromRed) => {
        if (message.kind !== kind) return
        child.off('message', listen).off('exit', ended)
        resolve(message as Extract<FromRed, { kind: Kind }>)
      }
      const ended = (code: number | null) => reject(new Error(`Node-RED ended with ${code}`))
      child.on('message', listen).once('exit', ended)
    })
  const ask = <Kind extends 'routes' | 'measured'>(what: ToRed, kind: Kind) => {
    const answered = next(kind)
    child.send(what)
    return answered
  }
  const { url } = await next('ready')
  // A connection is used once, because a busy process may use one that the other side is just closing.
  const admin = (path: string, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    headers.set('Connection', 'close')
    return fetch(`${url}/admin${path}`, { ...init, headers })
  }
  return {
    url,
    userDir: folder.path,
    admin,
    async logIn(person) {
      const asked = {
        client_id: 'node-red-admin',
        grant_type: 'password',
        scope: options.people?.[person],
        username: person,
      }
      const answer = await admin('/auth/token', json({ ...asked, password: person }))
      const { access_token } = (await answer.json()) as { access_token?: string }
      if (!access_token) throw new Error(`${person} cannot log in`)
      return { Authorization: `Bearer ${access_token}` }
    },
    routes: () => ask('routes', 'routes'),
    measure: () => ask('measure', 'measured'),
    async deploy(flows) {
      const { headers, ...init } = json(flows)
      const answer = await admin('/flows', { ...init, headers: { ...headers, 'Node-RED-Deployment-Type': 'full' } })
      if (!answer.ok) throw new Error(`not deployed: ${answer.status} ${await answer.text()}`)
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          folder.remove()
          resolve()
        })
        child.kill('SIGKILL')
      }),
  }
}

/** The options of a POST with this body. */
export function json(body: unknown) {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
