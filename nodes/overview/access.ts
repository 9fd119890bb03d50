/**
 * Controls access to the page: every request contains a name and a password by HTTP Basic; there are no sessions or
 * cookies.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isPlainObject } from '../../lib/common/plain-object'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import type { HttpHandler, HttpRequest, HttpResponse } from '../../lib/runtime/node-red/node-red'
import { networkOf } from '../../lib/runtime/http/rate-limiter'
import type { Guesses } from './guesses'
import { isNodeRedPassword, isPasswordOf } from './passwords'
import { sameName, type UserLine } from './user-lines'

/**
 * The result of a check; `wait` is the number of seconds before the sender may try again, and `answered` means that the
 * response was already sent.
 */
type Access = 'granted' | 'refused' | 'answered' | { readonly wait: number }

export interface Gate {
  admit(request: HttpRequest, response: HttpResponse): Promise<Access>
}

/**
 * Returns the gate for `httpNodeAuth` in the settings of Node-RED. The page applies it itself, because only the program
 * `node-red` does: if Node-RED is embedded in another program, a request reaches the page without any check.
 */
export function nodeAuthGate(RED: HostOwner, auth: unknown, guesses: Guesses): Gate {
  const functions = [auth].flat()
  if (functions.every((one) => typeof one === 'function')) {
    return { admit: (request, response) => runThrough(functions as HttpHandler[], request, response) }
  }
  const { user, pass } = isPlainObject(auth) ? auth : {}
  if (typeof user !== 'string' || typeof pass !== 'string') return { admit: () => Promise.resolve('refused') }
  const check = (_stored: string | undefined, given: string) => isNodeRedPassword(pass, given)
  return usersGate(RED, [{ name: user, password: pass }], guesses, check)
}

/** Whether every function passes the request on, as Express calls them one after another. */
async function runThrough(functions: HttpHandler[], request: HttpRequest, response: HttpResponse): Promise<Access> {
  for (const one of functions) {
    const isPassedOn = await new Promise<boolean>((resolve) => {
      response.once('close', () => resolve(false))
      one(request, response, (error) => resolve(error === undefined || error === null))
    })
    if (!isPassedOn) return response.headersSent ? 'answered' : 'refused'
  }
  return 'granted'
}

/** Maximum number of passwords that are being checked or wait for their check. */
const maxChecking = 20

/** Returns the gate for these users, whose passwords are stored as `isRightPassword` expects them. */
export function usersGate(
  RED: HostOwner,
  users: readonly UserLine[],
  guesses: Guesses,
  isRightPassword = (stored: string | undefined, given: string) => isPasswordOf(RED, stored, given),
): Gate {
  const key = randomBytes(32)
  let checking = 0
  // A correct password is remembered as a mark and not hashed again, because the page polls every few seconds.
  const passed = new Map<string, string>()
  const passwordMark = (given: Given) =>
    createHmac('sha256', key).update(`${given.name}\0${given.password}`).digest('hex')
  return {
    async admit(request) {
      const given = readBasic(request)
      if (!given) return 'refused'
      const user = users.find(({ name }) => sameName(name, given.name))
      const mark = passwordMark(given)
      // The duration of this comparison reveals nothing, because the mark is an HMAC with a random key.
      if (user && passed.get(user.name) === mark) return 'granted'
      const network = networkOf(request.ip ?? request.socket.remoteAddress ?? '')
      // Each check takes a fraction of a second, and people must not wait for minutes behind a flood of guesses.
      if (checking >= maxChecking) return { wait: 1 }
      const wait = guesses.count(network, given.name.normalize('NFC'))
      if (wait > 0) return { wait }
      checking++
      const isRight = await isRightPassword(user?.password, given.password).finally(() => checking--)
      if (!user || !isRight) return 'refused'
      guesses.takeBack(network, given.name.normalize('NFC'))
      passed.set(user.name, mark)
      return 'granted'
    },
  }
}

interface Given {
  readonly name: string
  readonly password: string
}

/** Maximum length of the header that is read: real names and passwords are shorter, and hashing costs time. */
const maxHeaderLength = 1000

/** Returns the name of an admitted person; empty if the program around Node-RED authenticates in another way. */
export function nameIn(request: HttpRequest): string {
  return readBasic(request)?.name ?? ''
}

function readBasic({ headers: { authorization = '' } }: HttpRequest): Given | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization.slice(0, maxHeaderLength)) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  // A name is written to the log, so it must not begin a new line there.
  if (colon < 1 || /\p{Cc}/u.test(text)) return undefined
  return { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
