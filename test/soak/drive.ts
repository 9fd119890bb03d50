/** Carries out a plan: sends its batches of messages, with faults, redeploys, expired tokens and a killed Node-RED. */
import { createHmac } from 'node:crypto'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { act, startParties, type Parties } from '../support/parties'
import type { FromParent, ToParent } from './child'
import { createFlow, hookSecret } from './flow'
import { aside, createEntry, hasEnded, type Entry } from './entry'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { programOf } from '../support/program'
import { listName, makers } from './messages'
import { createPlan, nameOf, type Batch, type Kind, type PlanOptions } from './plan'
import { findSecrets, writtenIn } from './search'
import { clientId, clientSecret, startCountedService, type CountedService } from './service'
import type { Result } from './table'
import { until } from '../support/time'

/**
 * Kinds that a person repeats without checking after Node-RED has died: the service recognizes the repetition by its
 * id.
 */
const repeatable = new Set<Kind>(['create-document', 'document-get', 'deposit-cancel', 'deposit-terminate'])

interface Host {
  readonly process: ChildProcess
  readonly url: string
}

interface Soak {
  readonly seed: number
  readonly service: CountedService
  readonly parties: Parties
  readonly userDir: string
  readonly database: PostgresServer
  readonly entries: Map<number, Entry>
  readonly notes: string[]
  /** Names of the planned faults, and of those that affected a call. */
  readonly planned: Set<string>
  readonly met: Set<string>
  host: Host
  round: number
  clientRound: number
}

export async function runSoak(options: PlanOptions, log: (line: string) => void): Promise<Result> {
  const started = Date.now()
  const [service, database] = await Promise.all([startCountedService(), startPostgres()])
  const userDir = mkdtempSync(join(tmpdir(), 'eid-soak-'))
  const entries = new Map<number, Entry>()
  const base = {
    seed: options.seed,
    service,
    userDir,
    database,
    entries,
    notes: [],
    planned: new Set<string>(),
    met: new Set<string>(),
    round: 0,
    clientRound: 0,
  }
  const soak: Soak = { ...base, parties: await startParties(service), host: await startHost(userDir, entries) }
  await deploy(soak, 'full')
  const plan = createPlan(options)
  for (const [index, batch] of plan.entries()) {
    await runBatch(soak, batch)
    if (index % 10 === 9) log(`batch ${index + 1} of ${plan.length}, ${Math.round((Date.now() - started) / 1000)} s`)
  }
  const leaks = await close(soak)
  const secrets = findSecrets(userDir, [...service.world.tokens.keys()])
  rmSync(userDir, { recursive: true })
  service.close()
  await database.stop()
  const acts = ({ operation, subject }: Entry) => (operation === '' ? 0 : service.acts(operation, subject))
  const unmet = [...soak.planned].filter((name) => !soak.met.has(name))
  soak.notes.push(`faults met: ${soak.met.size} of ${soak.planned.size}`, ...unmet.map((name) => `  not met: ${name}`))
  const seconds = (Date.now() - started) / 1000
  return { seed: options.seed, seconds, entries: [...entries.values()], acts, leaks, secrets, notes: soak.notes }
}

async function runBatch(soak: Soak, { messages, faults, during }: Batch): Promise<void> {
  const { service, parties } = soak
  const made: Entry[] = []
  for (const { n, kind } of messages) {
    const entry = createEntry(n, kind, await makers[kind](n, `soak-${soak.seed}-${n}-x`, parties))
    soak.entries.set(n, entry)
    made.push(entry)
  }
  const live = faults.map((fault) => ({ ...fault, id: nameOf(fault) }))
  for (const fault of live) {
    service.world.faults.add(fault)
    soak.planned.add(fault.id)
  }
  expireTokens(service)
  const calls = made.map((entry) => put(soak, entry))
  const early = () => made.filter(hasEnded).length > made.length / 3 || undefined
  if (during !== 'nothing') await until(early)
  if (during === 'expire-tokens') expireTokens(service)
  if (during === 'redeploy') await deploy(soak, 'nodes')
  if (during === 'redeploy-client') {
    soak.clientRound += 1
    await deploy(soak, 'nodes')
  }
  if (during === 'kill') await kill(soak, made)
  await Promise.all(calls)
  // Waits, with the faults still active, until the service knows that the events were handled.
  const waiting = () => [...service.world.notification.events.values()].some(({ type }) => type === 'soak')
  await until(() => !waiting() || undefined, 1).catch(() => undefined)
  for (const [index, { id, count }] of live.entries()) if (count < (faults[index]?.count ?? 0)) soak.met.add(id)
  service.world.faults.clear()
  const open = () => made.filter((entry) => !hasEnded(entry) && !entry.killed)
  // A truncated answer leaves its events locked for ten minutes, so the locks are removed here.
  const unlock = () => service.world.notification.locks.clear()
  await until(() => (unlock(), open().length === 0 || undefined)).catch(() =>
    soak.notes.push(
      `no end (${during}): ${open()
        .map(({ n, kind }) => `${kind} ${n}`)
        .join(', ')}`,
    ),
  )
}

/** Sends a message into the flow in the way that its kind requires. */
async function put(soak: Soak, entry: Entry): Promise<void> {
  const { kind, n, subject, signerUrl } = entry
  const payload = { documentId: subject, soak: n }
  if (kind === 'events') return soak.service.world.emit('soak', payload, [])
  if (kind === 'webhook' || kind === 'webhook-shared')
    return callHook(soak, kind, JSON.stringify({ id: subject, type: 'soak', payload, tags: null }))
  tell(soak.host, { send: kind, msg: { ...entry.msg, soak: n } })
  if (kind.startsWith('wait')) await act(signerUrl ?? '')
  if (kind === 'embed') await visit(soak, entry)
}

/** Signs in the page that "embed" has made, and lets the page report it. */
async function visit(soak: Soak, entry: Entry): Promise<void> {
  const page = await until(() => entry.page ?? (hasEnded(entry) || entry.killed ? '' : undefined))
  if (page === '') return
  await act(entry.signerUrl ?? '')
  const about = { documentId: entry.subject }
  const data = JSON.stringify({ type: 'sign_success', payload: about })
  const body = JSON.stringify({ origin: soak.service.url, data })
  const address = `${soak.host.url}${page}/messages`
  const answer = await fetch(address, { method: 'POST', headers: { Connection: 'close' }, body }).catch(() => undefined)
  // A Node-RED that was being deployed or stopped did not accept the report. The page itself then counts as the end of
  // the message.
  if (!answer?.ok && !entry.killed) entry.ends.push('embed/2')
}

/** Delivers as the service does: repeats until the event is accepted, and then once more. */
async function callHook(soak: Soak, kind: Kind, body: string): Promise<void> {
  const signature = createHmac('sha256', hookSecret).update(body).digest('hex')
  const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature, Connection: 'close' }
  const post = async () => {
    const sent = fetch(`${soak.host.url}/eid/${kind}`, { method: 'POST', headers, body })
    return (await sent.catch(() => undefined))?.ok || undefined
  }
  await until(post)
  await until(post)
}

async function kill(soak: Soak, made: readonly Entry[]): Promise<void> {
  const closed = once(soak.host.process, 'close')
  soak.host.process.kill('SIGKILL')
  await closed
  // A file that has no final name yet is not read after a restart: its message was not yet taken.
  const files = [...writtenIn(soak.userDir)].flatMap(([path, text]) => (path.endsWith('.new') ? [] : [text]))
  const written = [...files, await keptIn(soak.database)].join('\n')
  // The service learns that an event was handled only after the event was sent into the flow. If Node-RED is killed in
  // between, it gets the event once more.
  for (const entry of made) if (entry.kind === 'events' && hasEnded(entry)) entry.again += 1
  for (const entry of made.filter((one) => !hasEnded(one))) {
    const isKept = entry.kind.startsWith('wait') && written.includes(`"${entry.subject}"`)
    const isTaken = entry.rows !== undefined && written.includes(`"${listName(entry.n)}"`)
    const comesAgain = entry.kind === 'events' || entry.kind.startsWith('webhook')
    entry.killed = !isKept && !isTaken && !comesAgain
  }
  soak.host = await startHost(soak.userDir, soak.entries)
  const again = made.filter((entry) => entry.killed && repeatable.has(entry.kind))
  for (const entry of again) {
    Object.assign(entry, { killed: false, repeated: true })
    await put(soak, entry)
  }
}

/** Everything that the database stores, as text. */
async function keptIn({ url }: PostgresServer): Promise<string> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ text: string }>(`select about || body as text from eid_kept`)
  await client.end()
  return rows.map(({ text }) => text).join('\n')
}

async function deploy(soak: Soak, how: 'full' | 'nodes'): Promise<void> {
  soak.round += 1
  const client = { baseUrl: soak.service.url, clientId, clientSecret, database: soak.database.url }
  const done = answer(soak.host, 'deployed')
  tell(soak.host, { deploy: createFlow(client, soak.round, soak.clientRound), how })
  await done
}

/** Closes all flows and returns what is still held. */
async function close(soak: Soak): Promise<readonly string[]> {
  const done = answer(soak.host, 'deployed')
  tell(soak.host, { deploy: [], how: 'full' })
  await done
  const answered = answer(soak.host, 'leaks')
  tell(soak.host, { leaks: true })
  const message = await answered
  const closed = once(soak.host.process, 'close')
  soak.host.process.kill('SIGKILL')
  await closed
  return 'leaks' in message ? message.leaks : []
}

function expireTokens({ world }: CountedService): void {
  for (const [token, known] of world.tokens) {
    if (known.clientId === clientId) world.tokens.set(token, { ...known, expires: 0 })
  }
}

function tell(host: Host, message: FromParent): void {
  host.process.send(message)
}

function answer(host: Host, name: string): Promise<ToParent> {
  return new Promise((resolve) => {
    const listener = (message: ToParent) => {
      if (!(name in message)) return
      host.process.off('message', listener)
      resolve(message)
    }
    host.process.on('message', listener)
  })
}

async function startHost(userDir: string, entries: ReadonlyMap<number, Entry>): Promise<Host> {
  const child = fork(await programOf(join(__dirname, 'child.ts')), [userDir], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // With the default, JSON, the file of a message would no longer be a Buffer.
    serialization: 'advanced',
  })
  child.on('message', (message: ToParent) => {
    if ('at' in message) note(entries, message)
  })
  const ready = await answer({ process: child, url: '' }, 'ready')
  return { process: child, url: `http://127.0.0.1:${'ready' in ready ? ready.ready : 0}` }
}

function note(
  entries: ReadonlyMap<number, Entry>,
  { at, n, code, outcome, msg }: Extract<ToParent, { at: string }>,
): void {
  const entry = entries.get(n)
  if (!entry) return
  if (at === 'embed/2') entry.page = msg.embedUrl
  if (/^batch.*\/0$/.test(at) && msg.redelivered) entry.rowsAgain += 1
  if (aside.has(at) || (entry.rows !== undefined && msg.status === 'running')) return
  // If the answer to the page's report was cut off, the report was stored anyway, so the end that stands for it is
  // removed.
  if (at !== 'completed' && entry.ends[0] === 'embed/2') entry.ends.shift()
  if (at === 'completed') entry.completed += 1
  else {
    if (msg.redelivered) entry.again += 1
    if (entry.rows !== undefined && at !== 'caught') entry.done = msg.done
    Object.assign(entry, { code, outcome, error: msg.error }).ends.push(at)
  }
}
