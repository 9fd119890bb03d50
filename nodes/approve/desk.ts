/** Decides what a visitor of an approver's address sees, and takes the answers of people who have identified. */
import type { Answer, CallOptions } from '../../lib/api/call/call'
import { isNotFound } from '../../lib/api/errors/errors'
import { identityIn } from '../../lib/api/sessions'
import type { OperationName } from '../../lib/api/operations/operations'
import { textAt } from '../../lib/runtime/values/read-text'
import type { Clock } from '../../lib/store/clock'
import type { Store } from '../../lib/store/store'
import { approvalIn, isProposer, outcomeIn, type Approval, type Outcome } from './approval'
import { approverOf, comparableProviders, sandboxPeople, type Approver } from './approvers'
import { compare, marksOf, personIn, type Marks } from './identity'
import { hashOf, keyIdOf, linkIn, type Link } from './links'
import type { PageState, PageView } from './page-view'
import type { FoundAttempt, Sessions } from './sessions'
import { tally, type Vote } from './votes'

/** After the time limit, an identification that began before it counts for this long. */
export const graceMs = 10 * 60_000

export interface DeskOptions {
  readonly store: Pick<Store, 'get' | 'makeDue'>
  readonly sessions: Sessions
  readonly key: Buffer
  readonly clock: Pick<Clock, 'epochNow'>
  /** The answers about an approval, in their order. */
  votes(approval: string): Promise<Vote[]>
  /** Stores an answer; false if this person has answered already. */
  addVote(approval: string, vote: Vote): Promise<boolean>
  /** The people who may approve now. Throws EID_CONFIG. */
  approvers(): Approver[]
  /** The service that the client uses now, and whether it is the sandbox. Rejects with EID_CONFIG. */
  service(): Promise<{ readonly service: string; readonly isSandbox: boolean }>
  call(operation: OperationName, options: CallOptions): Promise<Answer>
  /** The public address of an approver's page. */
  addressOf(link: Link): string
  /** Writes to the log who has identified: the row, or a stranger. */
  identified(approval: string, name: string | undefined): void
}

/** An approval that is open, and the approver whose address was called. */
interface OpenApproval extends Link {
  readonly approval: string
  readonly body: Approval
  readonly subject: string
  readonly ageMs: number
  readonly approver: Approver
  readonly approvers: readonly Approver[]
}

export interface Desk {
  /** What is approved, for the page before the identification; undefined if the address is of no open approval. */
  look(token: string): Promise<{ readonly what: string; readonly approval: string } | Outcome | 'gone' | 'paused'>
  /** Begins an identification; `cookie` is for the browser. */
  start(token: string, language: string): Promise<PageView & { readonly cookie?: string }>
  /** Takes a browser back from the service; false unless it is the browser that began. */
  takeBack(token: string, cookie: string, secret: string): Promise<boolean>
  /** What the browser with this cookie sees now. */
  state(token: string, cookie: string): Promise<PageView>
  answer(token: string, cookie: string, answer: Vote['answer'], reason: string): Promise<PageView>
}

export function createDesk(options: DeskOptions): Desk {
  const { store, sessions, key } = options
  const askOnce = createAsker(options)

  /** The approval, the identification of this browser, and what it may do; or only what the page says. */
  const enter = async (token: string, cookie: string): Promise<Entered> => {
    const found = await openApproval(options, token)
    if (typeof found === 'string') return { view: { state: found } }
    const attempt = await identificationOf(found, await sessions.find(found.approval, cookie), askOnce)
    if (typeof attempt === 'string') return { view: { state: attempt } }
    return { found, attempt: attempt.attempt, ...judge(found, attempt, await options.votes(found.approval)) }
  }
  return {
    async look(token) {
      const found = await openApproval(options, token)
      return typeof found === 'string' ? found : { what: found.body.what, approval: found.approval }
    },
    async start(token, language) {
      const found = await openApproval(options, token)
      if (typeof found === 'string') return { state: found }
      if (isLate(found)) return { state: 'late' }
      const votes = await options.votes(found.approval)
      const { isSandbox } = await options.service()
      let url = ''
      const cookie = await sessions.begin(found, found.body.digest, {
        async create(back) {
          const body = sessionFor(options, found, { votes, back, language, isSandbox })
          const { data } = await options.call('createSession', { body })
          url = textAt(data, 'url')
          return textAt(data, 'id')
        },
      })
      return cookie === undefined ? { state: 'wait' } : { state: 'start', url, cookie }
    },
    async takeBack(token, cookie, secret) {
      const link = linkIn(key, token)
      const found = link && (await sessions.find(link.approval, cookie))
      if (!found || found.attempt.row !== link.row || found.attempt.back !== hashOf(secret)) return false
      // A page that is opened again changes nothing.
      if (found.attempt.phase === 'begun') await sessions.change(found, { phase: 'returned' })
      return true
    },
    async state(token, cookie) {
      const { view, found } = await enter(token, cookie)
      // If Node-RED was killed after an answer was stored, the answer is not yet counted.
      if (found && view.state === 'answered') await store.makeDue([found.subject])
      return view
    },
    async answer(token, cookie, answer, reason) {
      const { view, found, attempt, approver } = await enter(token, cookie)
      if (!found || !attempt?.who || !approver || view.state !== 'identified') return view
      const at = new Date(options.clock.epochNow()).toISOString()
      const { provider, marks } = attempt.who
      const { id: row, name } = approver
      await options.addVote(found.approval, {
        answer,
        row,
        name,
        at,
        provider,
        sessionId: attempt.sessionId,
        reason,
        marks,
      })
      await store.makeDue([found.subject])
      return { state: 'answered' }
    },
  }
}

interface Entered {
  readonly view: PageView
  readonly found?: OpenApproval
  readonly attempt?: FoundAttempt['attempt']
  readonly approver?: Approver | undefined
}

/** The open approval of an address, or what the page says instead. */
async function openApproval(
  { key, store, service, approvers: listed }: DeskOptions,
  token: string,
): Promise<OpenApproval | Outcome | 'gone' | 'paused'> {
  const link = linkIn(key, token)
  const item = link && (await store.get(link.approval))
  if (!link || !item) return 'gone'
  const outcome = outcomeIn(item.body)
  if (outcome) return outcome
  const body = approvalIn(item.body)
  if (!body) return 'gone'
  if ((await service()).service !== body.service || body.keyId !== keyIdOf(key)) return 'paused'
  const approvers = listed()
  const approver = approvers.find(({ id }) => id === link.row)
  if (!approver || !mayAsk(body, approver)) return 'gone'
  return { ...link, body, subject: item.subject, ageMs: item.ageMs, approver, approvers }
}

type Ask = (found: FoundAttempt, open: OpenApproval) => Promise<FoundAttempt>

/** Asks the service about each identification only once at a time. */
function createAsker(options: DeskOptions): Ask {
  const asking = new Map<string, Promise<FoundAttempt>>()
  return (found, open) => {
    const known = asking.get(found.id)
    if (known) return known
    const asked = ask(options, found, open).finally(() => asking.delete(found.id))
    asking.set(found.id, asked)
    return asked
  }
}

/** An identification that has succeeded, or what the page says instead. */
async function identificationOf(
  open: OpenApproval,
  found: FoundAttempt | undefined,
  askOnce: Ask,
): Promise<FoundAttempt | PageState> {
  const otherwise = (state: PageState) => (isLate(open) ? 'late' : state)
  if (!found || found.attempt.row !== open.row || found.attempt.phase === 'begun') return otherwise('start')
  if (found.attempt.digest !== open.body.digest) return otherwise('again')
  const now = found.attempt.phase === 'returned' ? await askOnce(found, open) : found
  if (now.attempt.phase === 'returned') return 'checking'
  return now.attempt.phase === 'failed' ? otherwise('again') : now
}

const isLate = ({ ageMs, body: { limitMs = Infinity } }: OpenApproval) => ageMs >= limitMs

/** Whether an approver gets an address: not the proposer, and no one who might be the proposer. */
export function mayAsk({ proposer, mayApproveOwn }: Approval, approver: Approver): boolean {
  if (mayApproveOwn || !proposer) return mayApproveOwn
  return !isProposer(proposer.marks, approver) && comparableProviders(approver, [proposer.marks]).length > 0
}

/** The proposer, whose own answer does not count. */
export const barred = ({ proposer, mayApproveOwn }: Approval): Marks | undefined =>
  mayApproveOwn ? undefined : proposer?.marks

interface SessionParts {
  readonly votes: readonly Vote[]
  readonly back: string
  readonly language: string
  readonly isSandbox: boolean
}

/** The request for the session in which an approver identifies. */
function sessionFor(
  { addressOf }: DeskOptions,
  { approval, row, approver, approvers, body }: OpenApproval,
  { votes, back, language, isSandbox }: SessionParts,
): Record<string, unknown> {
  const page = addressOf({ approval, row })
  return {
    flow: 'redirect',
    allowedProviders: providersFor(approver, body, votes),
    include: needsNin(approver, body, votes) ? ['nin'] : [],
    language,
    externalReference: approval,
    // Only after a success, the service sends the browser to the address with the secret.
    redirectSettings: { successUrl: `${page}/back/${back}`, abortUrl: page, errorUrl: page },
    ...(isSandbox && { sandboxPeople: sandboxPeople(approvers) }),
  }
}

function providersFor(approver: Approver, body: Approval, votes: readonly Vote[]): readonly string[] {
  const proposer = barred(body)
  const first = proposer ? [proposer] : []
  const best = comparableProviders(approver, [...first, ...votes.map(({ marks }) => marks)])
  return best.length > 0 ? best : comparableProviders(approver, first)
}

const needsNin = ({ by }: Approver, body: Approval, votes: readonly Vote[]) =>
  by === 'nin' || [barred(body), ...votes.map(({ marks }) => marks)].some((one) => (one?.byNin ?? '') !== '')

/** Asks the service about a session whose browser has come back. Without an answer, the phase stays `returned`. */
async function ask(
  { call, sessions, key, approvers, identified }: DeskOptions,
  found: FoundAttempt,
  { approval }: OpenApproval,
): Promise<FoundAttempt> {
  const change = async (changes: Partial<FoundAttempt['attempt']>) => {
    await sessions.change(found, changes)
    return { id: found.id, attempt: { ...found.attempt, ...changes } }
  }
  try {
    const { data } = await call('getSession', { id: found.attempt.sessionId })
    const status = textAt(data, 'status')
    if (status === 'created' || status === 'user_initiated') return found
    const identity = identityIn(data)
    const isOurs = textAt(data, 'id') === found.attempt.sessionId && textAt(data, 'externalReference') === approval
    if (!identity || !isOurs) return await change({ phase: 'failed' })
    const marks = marksOf(key, personIn(identity))
    identified(approval, approverOf(approvers(), marks)?.name)
    return await change({ phase: 'identified', who: { marks, provider: identity.provider } })
  } catch (thrown) {
    if (isNotFound(thrown)) return change({ phase: 'failed' })
    return found // The page asks again.
  }
}

interface Judgement {
  readonly view: PageView
  /** The row of the person who has identified. */
  readonly approver?: Approver
}

/** What a person who has identified may do. */
function judge(open: OpenApproval, { attempt }: FoundAttempt, votes: readonly Vote[]): Judgement {
  const { body, approvers, ageMs } = open
  const { marks } = attempt.who ?? {}
  if (!marks) return { view: { state: 'again' } }
  const unclear = (): Judgement => ({
    view: { state: 'unclear', providers: providersFor(open.approver, body, votes) },
  })
  const proposer = barred(body)
  const own = proposer && compare(proposer, marks)
  if (own === 'same') return { view: { state: 'proposer' } }
  const approver = approverOf(approvers, marks)
  if (!approver) {
    const isTold = approvers.some((one) => compare(one.marks, marks) !== 'unknown')
    return isTold ? { view: { state: 'stranger' } } : unclear()
  }
  if (votes.some((vote) => compare(vote.marks, marks) === 'same')) return { view: { state: 'answered' } }
  const { approved } = tally(votes, { approvers, required: body.required, proposer })
  if (own === 'unknown' || approved.some((vote) => compare(vote.marks, marks) === 'unknown')) return unclear()
  if (ageMs >= (body.limitMs ?? Infinity) + graceMs) return { view: { state: 'late' } }
  const shown = {
    name: approver.name,
    details: body.details,
    proposer: body.proposer?.name ?? '',
    digest: body.digest,
    approved: approved.map(({ name }) => name),
  }
  return { view: { state: 'identified', shown }, approver }
}
