/**
 * The service of the model: the sandbox. Whether it acts and answers is planned for each row, and it records what it
 * has created.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWorld } from '../../../sandbox/create-world'
import { operationRoutes, otherRoutes } from '../../../sandbox/routes'
import type { Answer, Call, Route } from '../../../sandbox/server/call'
import { createListener } from '../../../sandbox/server/listener'
import { createRouter } from '../../../sandbox/server/router'
import { act } from '../../support/parties'
import type { Slip } from './plan'

/** Something that exists at the service. */
export interface Made {
  readonly part: string
  readonly subject: string
  readonly id: string
  /** For documents, the address at which the signer signs. */
  readonly signer: string | undefined
}

export interface TrueService {
  readonly url: string
  readonly made: readonly Made[]
  /** How many calls with an effect have arrived. */
  readonly arrived: number
  isSigned(documentId: string): boolean
  /** Signs every unsigned document for which `which` returns true. */
  sign(which: (made: Made) => boolean): Promise<void>
  close(): void
}

interface ServiceOptions {
  readonly slips: Readonly<Record<string, readonly Slip[]>>
  readonly unanswered: ReadonlySet<number>
}

const acting = new Set(['createDocument', 'createBucket', 'createShare', 'createDeposit'])
const uploading = new Set(['uploadToBucket', 'uploadToShare', 'uploadFileToShare'])
const later = { 'Retry-After': '1' }

export async function startTrueService({ slips, unanswered }: ServiceOptions): Promise<TrueService> {
  const world = createWorld()
  const made: Made[] = []
  const signed = new Set<string>()
  const met = new Map<string, number>()
  let arrived = 0
  let asked = 0

  const noteMade = (part: string, subject: string, { json, status = 200 }: Answer, id?: string) => {
    if (status >= 300) return
    const { documentId, id: own, signers } = json as { documentId?: string; id?: string; signers?: { url: string }[] }
    // A deposit has a document of its own, which does not count.
    const which = id ?? own ?? documentId ?? ''
    if (made.some((one) => one.id === which && one.part === part)) return
    made.push({ part, subject, id: which, signer: documentId === undefined ? undefined : signers?.[0]?.url })
  }
  const change = async (route: Route, call: Call, isUpload: boolean): Promise<Answer> => {
    arrived++
    const share = isUpload ? made.find(({ id }) => id === call.param('id')) : undefined
    const [, part = '', subject = ''] = /(\w+) (s\d+-\d+)/.exec(call.body.toString('utf8')) ?? []
    const about = share ? (['upload', share.subject] as const) : ([part, subject] as const)
    const place = about.join(' ')
    const turn = met.get(place) ?? 0
    met.set(place, turn + 1)
    const slip = slips[place]?.[turn]
    if (slip?.startsWith('not')) return answerTo(call, slip)
    const answer = await route.handle(call, world)
    noteMade(...about, answer, share && `${share.id}/${call.param('contentId')}`)
    return slip ? answerTo(call, slip, answer) : answer
  }
  const ask = async (route: Route, call: Call): Promise<Answer> => {
    const isUnanswered = unanswered.has(asked++)
    return isUnanswered ? answerTo(call, asked % 2 === 0 ? 'not-closes' : 'not-500') : route.handle(call, world)
  }
  const handlerOf = (operation: string, route: Route): Route['handle'] => {
    if (acting.has(operation) || uploading.has(operation))
      return (call) => change(route, call, uploading.has(operation))
    return route.method === 'GET' ? (call) => ask(route, call) : route.handle
  }
  const routes = Object.entries(operationRoutes).map(([operation, route]) => [
    operation,
    { ...route, handle: handlerOf(operation, route) },
  ])
  const find = createRouter(Object.fromEntries(routes) as Record<string, Route>, otherRoutes)
  const server = createServer(createListener(world, find))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: world.url,
    made,
    get arrived() {
      return arrived
    },
    isSigned: (id) => world.signature.documents.get(id)?.status === 'signed',
    async sign(which) {
      for (const one of made) {
        if (one.signer === undefined || signed.has(one.id) || !which(one)) continue
        signed.add(one.id)
        await act(one.signer)
      }
    },
    close() {
      server.close(() => world.reset())
      server.closeAllConnections()
    },
  }
}

/** What the caller gets if this fault happens; `answer` is the service's normal answer. */
async function answerTo(call: Call, slip: Slip, answer?: Answer): Promise<Answer> {
  const [, kind = ''] = slip.split('-')
  if (kind === 'silent') return new Promise(() => undefined)
  if (kind === 'half') return { status: 200, text: JSON.stringify(answer?.json).slice(0, 20), type: 'application/json' }
  if (kind === 'closes') {
    call.request.socket.destroy()
    return {}
  }
  return { status: Number(kind), json: { message: 'no' }, ...(slip.endsWith('later') && { headers: later }) }
}
