/**
 * The national ids of approvers, proposers and strangers are compared, and stand nowhere: not in logs, statuses, errors,
 * pages, messages, stores, lists or the archive.
 */
import should from 'should'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import archive from '../../../nodes/archive/archive'
import session from '../../../nodes/identification-session/identification-session'
import wait from '../../../nodes/wait/wait'
import { listAll } from '../../../lib/store/list-all'
import { listEnded } from '../../../lib/runtime/monitor/ended'
import { listPending } from '../../../lib/runtime/monitor/pending'
import { createVisitor, identifyAt } from '../../support/approval-visitor'
import { approverRow, nins, ola, startApprove } from '../../support/approve-flow'
import { inMemory, removeFlow, type Flow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { RED } from '../../support/errors'
import { act, type Parties } from '../../support/parties'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { within } from '../../support/time'

describe('a national id', () => {
  let service: Service
  let parties: Parties
  let site: PublicSide
  let flow: Flow
  let folder: string
  /** Everything that people, logs, files and other nodes get. */
  const seen: string[] = []
  const see = (...all: unknown[]) => void seen.push(...all.map((one) => JSON.stringify(one) ?? ''))
  useSides((sides) => ({ service, parties, site } = sides))
  beforeEach(() => {
    seen.length = 0
    folder = mkdtempSync(join(tmpdir(), 'eid-approve-'))
  })
  afterEach(async () => {
    await removeFlow()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async () => {
    const keep = { archiveFolder: folder, archiveAs: '{title}', documentIdType: 'msg', documentId: 'documentId' }
    const who = { operation: 'create', flow: 'redirect', include: 'name, nin', identityProviders: 'no_eid' }
    const pages = { successUrl: site.url, abortUrl: site.url, errorUrl: site.url }
    const place = { z: 'f', client: 'c' }
    const outputs = [['out0', 'keep'], ['out1'], ['out2'], ['out3']]
    flow = await startApprove(
      { service, site },
      { wires: outputs },
      {},
      {
        modules: [archive, session, wait],
        more: [
          { ...place, id: 'who', type: 'eid-identification-session', ...who, ...pages, wires: [['w', 'begun']] },
          { ...place, id: 'w', type: 'eid-wait', what: 'session', pollInterval: '1', wires: [['n'], [], []] },
          { ...place, id: 'keep', type: 'eid-archive', ...keep, wires: [['kept']] },
          { z: 'f', id: 'begun', type: 'helper' },
          { z: 'f', id: 'kept', type: 'helper' },
        ],
      },
    )
    for (const id of ['n', 'who', 'w', 'keep'])
      for (const call of ['log', 'warn', 'error', 'status'])
        flow.node(id).on(`call:${call}`, ({ args }: { args: unknown[] }) => see(call, args[0]))
  }
  const arrivedAt = (id: string) =>
    within(
      new Promise<FlowMessage>((resolve) => flow.node(id).on('input', (msg: FlowMessage) => resolve(msg))),
      () => `nothing at ${id}: ${seen.join(' ').slice(-500)}`,
    )
  const signedDocument = async () => {
    const { documentId, signers } = await parties.createDocument('private')
    for (const { url } of signers) await act(url)
    return documentId
  }

  /** What the stores of the node contain. */
  const stored = async () => {
    const found: unknown[] = []
    for (const kind of ['approvals', 'approvalnotes', 'ended']) {
      const store = inMemory('n', kind)
      for (const { id, subject, summary } of await listAll(store)) found.push(id, subject, summary, await store.get(id))
    }
    return found
  }

  it('of the proposer, of an approver or of a stranger stands nowhere', async () => {
    await start()
    const begun = arrivedAt('begun')
    const kept = arrivedAt('kept')
    flow.send({ documentId: await signedDocument(), tenant: 'Liv', amount: 12500 }, 'who')
    await identifyAt(String((await begun).url), { nin: nins.ola, name: 'Ola Nordmann' })
    const pages: Record<string, string> = {}
    for (let left = 2; left > 0; left--) {
      const notice = await flow.next(3)
      see(notice)
      pages[String(notice.approver)] = String(notice.url)
    }
    const page = pages['Per Hansen'] ?? ''
    const other = pages['Kari Nordmann'] ?? ''
    see((await listPending(RED)).items, await stored())
    const per = createVisitor()
    const stranger = createVisitor()
    see(await stranger.identifyAt(other, { nin: nins.stranger }), await (await stranger.open(other)).text())
    see(await per.identifyAt(page, { nin: nins.per }), await (await per.open(page)).text(), await stored())
    see(await per.view(page, 'answer', { answer: 'approve' }))
    const sent = await flow.next(0)
    see(sent)
    see(await kept)
    await flow.completed()
    see((await listEnded(RED)).items, await stored())
    // An error of a proposer whose ids say nothing, and one of a setting.
    flow.send({ tenant: 'Liv', amount: 1, identity: { provider: 'se_eid', providerId: 'x', nin: nins.ola } })
    see((await flow.caught()).error)
    await flow.redeploy({ approversRows: [approverRow('per', 'Per Hansen', { provider: 'sms_otp' })] })
    flow.send({ tenant: 'Liv', amount: 1, identity: ola })
    see((await flow.caught()).error)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    should(files.map(({ name }) => name)).containEql('approval.json')
    for (const one of files) seen.push(readFileSync(join(one.parentPath, one.name), 'latin1'))
    should(seen.join('\n'))
      .match(/A stranger has identified/)
      .and.match(/Per Hansen has identified/)
    for (const [name, id] of Object.entries(nins))
      should(seen.filter((one) => one.includes(id)).map((one) => `${name}: ${one.slice(0, 300)}`)).deepEqual([])
  })
})
