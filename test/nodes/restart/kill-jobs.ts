/**
 * The work of a Node-RED that is killed again and again: a job for each kind of memory. A job does as much as it can
 * until the process is dead, and continues with the next process.
 */
import { createHmac } from 'node:crypto'
import { createVisitor, identifyAt, type Visitor } from '../../support/approval-visitor'
import { nins, ola } from '../../support/approve-flow'
import type { Started } from '../../support/node-red/killable'
import { act, signedDocument, startParties, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { until } from '../../support/time'
import { hookSecret, publicUrl } from './kill-flow'

export type Kind = 'wait' | 'alert' | 'list' | 'webhook' | 'event' | 'page' | 'approval' | 'archive'

type Message = Readonly<Record<string, unknown>>

/** What the jobs see of the running process and of its predecessors. */
export interface Stage {
  readonly red: Started
  isDead(): boolean
  /** The messages that have reached a node, in all processes so far. */
  at(place: string): readonly Message[]
}

export interface Job {
  readonly kind: Kind
  readonly id: string
  /** Whether Node-RED, or the service, has confirmed that it has the work. */
  isAccepted: boolean
  /** Does what is left to do; rejects if the process dies before that. */
  run(stage: Stage): Promise<void>
  /** What has come out for this job. */
  out(stage: Pick<Stage, 'at'>): readonly Message[]
}

/** What the jobs need, and a document that is canceled or signed. */
interface Parts {
  readonly service: Service
  readonly parties: Parties
  readonly n: number
}

/** Resolves when `found` returns a value; rejects if the process is dead. */
async function inLife<T>({ isDead }: Stage, found: () => Promise<T | undefined | false> | T | undefined | false) {
  const value = await until(async () => (isDead() ? 'dead' : await found()))
  if (value === 'dead') throw new Error('dead')
  return value
}

const waitEnds = ['done', 'ended', 'expired'] as const

/** Every third document is canceled, of which *alerts* must tell. */
const isCanceled = (n: number) => n % 3 === 0

async function waitJob({ parties, n }: Parts): Promise<Job> {
  const { documentId, signers } = await parties.createDocument(`wait-${n}`)
  const cancel = `/signature/documents/${documentId}/cancel?reason=moved`
  const out: Job['out'] = ({ at }) => waitEnds.flatMap(at).filter((msg) => msg.documentId === documentId)
  let isEnded = false
  return {
    kind: 'wait',
    id: documentId,
    isAccepted: false,
    out,
    async run(this: Job, stage) {
      if (!this.isAccepted) stage.red.send('wait', { documentId, note: n })
      const isListed = () =>
        stage.at('listed').some(({ payload }) => (payload as { id: string }[]).some(({ id }) => id === documentId))
      await inLife(stage, () => {
        stage.red.send('pending', {})
        return isListed() || out(stage).length > 0
      })
      this.isAccepted = true
      if (!isEnded && isCanceled(n)) await parties.call('POST', cancel, {})
      else if (!isEnded) await act(signers[0]?.url ?? '')
      isEnded = true
      await inLife(stage, () => out(stage).length > 0)
    },
  }
}

/** The alert about a document that was canceled while a wait was pending for it. */
function alertJob(wait: Job): Job {
  const out: Job['out'] = ({ at }) =>
    at('alert').filter(({ payload }) => (payload as { documentId: string }).documentId === wait.id)
  return {
    kind: 'alert',
    id: wait.id,
    isAccepted: false,
    out,
    async run(this: Job, stage) {
      await inLife(stage, () => wait.out(stage).length > 0)
      this.isAccepted = true
      await inLife(stage, () => out(stage).length > 0)
    },
  }
}

/** A list of shares: the service does not recognize a repetition. */
function listJob({ n }: Parts): Job {
  const id = `list-${n}`
  const payload = ['a', 'b', 'c'].map((unit) => ({ unit: `${id}-${unit}` }))
  const reports: Job['out'] = ({ at }) =>
    at('report').filter((msg) => (msg.payload as { id: string }).id === id && msg.status === 'ended')
  return {
    kind: 'list',
    id,
    isAccepted: false,
    // A list that is sent again only gives its report again.
    out: (stage) => reports(stage).slice(0, 1),
    async run(this: Job, stage) {
      if (!this.isAccepted) stage.red.send('batch', { payload, batchId: id })
      await inLife(stage, () => stage.at('row').some((msg) => (msg.batch as { id: string }).id === id))
      this.isAccepted = true
      await inLife(stage, () => reports(stage).length > 0)
    },
  }
}

function webhookJob({ n }: Parts): Job {
  const id = `hook-${n}`
  const body = JSON.stringify({ id, type: 'document_signed', payload: { documentId: 'doc-1' } })
  const signature = createHmac('sha256', hookSecret).update(body).digest('hex')
  const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature, Connection: 'close' }
  const out: Job['out'] = ({ at }) => at('hook').filter((msg) => msg.eventId === id)
  return {
    kind: 'webhook',
    id,
    isAccepted: false,
    out,
    async run(this: Job, stage) {
      const post = async () => (await fetch(`${stage.red.url}/hook`, { method: 'POST', headers, body })).status === 204
      if (!this.isAccepted) await inLife(stage, post)
      this.isAccepted = true
      await inLife(stage, () => out(stage).length > 0)
      // The service may call again.
      await inLife(stage, post)
    },
  }
}

function eventJob({ service, n }: Parts): Job {
  const { world } = service.sandbox
  world.emit('deposit_fully_funded', { depositId: `deposit-${n}` }, [])
  const id = [...world.notification.events.keys()].at(-1) ?? ''
  const out: Job['out'] = ({ at }) => at('event').filter((msg) => msg.eventId === id)
  const run: Job['run'] = async (stage) => {
    await inLife(stage, () => out(stage).length > 0)
    await inLife(stage, () => !world.notification.events.has(id))
  }
  // The service keeps the event until it is handled.
  return { kind: 'event', id, isAccepted: true, out, run }
}

async function pageJob({ service, parties, n }: Parts): Promise<Job> {
  const { documentId, signers } = await parties.createDocument(`page-${n}`)
  const url = signers[0]?.url ?? ''
  const pages: Job['out'] = ({ at }) => at('page').filter((msg) => msg.documentId === documentId)
  const out: Job['out'] = ({ at }) => at('final').filter((msg) => msg.documentId === documentId)
  let isSigned = false
  return {
    kind: 'page',
    id: documentId,
    isAccepted: false,
    out,
    async run(this: Job, stage) {
      if (!this.isAccepted) stage.red.send('embed', { documentId, url, note: n })
      const page = await inLife(stage, () => pages(stage)[0])
      this.isAccepted = true
      if (!isSigned) await act(url)
      isSigned = true
      const address = stage.red.url + new URL(String(page.embedUrl), stage.red.url).pathname
      const data = JSON.stringify({ type: 'sign_success', payload: { documentId } })
      const body = JSON.stringify({ origin: service.url, data })
      const report = { method: 'POST', headers: { Connection: 'close' }, body }
      // The page is gone if its report was accepted before the kill.
      await inLife(stage, async () => [204, 410].includes((await fetch(`${address}/messages`, report)).status))
      await inLife(stage, () => out(stage).length > 0)
    },
  }
}

function approvalJob({ n }: Parts): Job {
  const id = `approval-${n}`
  const visitor = createVisitor()
  const notices: Job['out'] = ({ at }) =>
    at('notices').filter(({ approver, subject }) => approver === 'Per Hansen' && String(subject).includes(`${id}.`))
  // If Node-RED was killed just as the message left, an error says so instead, and the message is not sent again.
  const out: Job['out'] = ({ at }) => {
    const [approved, caught] = ['approved', 'caught'].map((place) => at(place).filter((msg) => msg.payload === id))
    // The error may be repeated after another kill.
    return approved?.length ? approved : (caught ?? []).slice(0, 1)
  }
  return {
    kind: 'approval',
    id,
    isAccepted: false,
    out,
    async run(this: Job, stage) {
      if (!this.isAccepted) stage.red.send('approve', { payload: id, identity: ola })
      const { url } = await inLife(stage, () => notices(stage)[0])
      this.isAccepted = true
      await inLife(stage, async () => out(stage).length > 0 || (await approve(visitor, stage, String(url))))
      await inLife(stage, () => out(stage).length > 0)
    },
  }
}

/** Does the next step of an approver; true if the approval has the answer. */
async function approve(visitor: Visitor, { red }: Stage, page: string): Promise<boolean> {
  const here = (address: string) => address.replace(publicUrl, red.url)
  const call = async (place: string, body: object = {}) => {
    const answer = await visitor.call(here(page), place, body, { Origin: new URL(publicUrl).origin })
    // While the node starts, its page is only a text.
    return answer.ok ? ((await answer.json()) as { state: string; url?: string }) : { state: 'starting' }
  }
  const { state } = await call('state')
  if (state === 'identified') return (await call('answer', { answer: 'approve' })).state === 'answered'
  if (state === 'answered' || state === 'approved') return true
  if (state !== 'start' && state !== 'again') return false
  const { url } = await call('start')
  if (url !== undefined) await visitor.open(here(await identifyAt(url, { nin: nins.per })))
  return false
}

async function archiveJob({ service, n }: Parts): Promise<Job> {
  const id = await signedDocument(service, `archive-${n}`)
  const out: Job['out'] = ({ at }) => at('archived').filter((msg) => msg.documentId === id)
  return {
    kind: 'archive',
    id,
    isAccepted: false,
    out,
    async run(this: Job, stage) {
      if (out(stage).length === 0) stage.red.send('archive', { documentId: id })
      await inLife(stage, () => out(stage).length > 0)
      this.isAccepted = true
    },
  }
}

/** A job of each kind. */
export async function jobsOf(service: Service, n: number): Promise<Job[]> {
  const parts: Parts = { service, n, parties: await startParties(service) }
  const wait = await waitJob(parts)
  const alerts = isCanceled(n) ? [alertJob(wait)] : []
  const others = [listJob(parts), webhookJob(parts), eventJob(parts), approvalJob(parts)]
  return [wait, ...alerts, await pageJob(parts), await archiveJob(parts), ...others]
}
