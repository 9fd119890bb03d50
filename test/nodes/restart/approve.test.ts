/**
 * Node-RED is killed at each step of an approval: nothing is lost, and the message is sent once.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVisitor } from '../../support/approval-visitor'
import { approverRow, idsOf, nins, ola } from '../../support/approve-flow'
import { startProcess, type Started } from '../../support/node-red/killable'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

/** The public address in the settings; the test reaches the process at its own address. */
const publicUrl = 'http://127.0.0.1:9'
const outputs = ['approved', 'rejected', 'expired', 'notices']
const collectors = [...outputs, 'errors']

describe('when Node-RED is killed at each step of an approval', () => {
  let service: Service
  let userDir: string
  let running: Started | undefined
  const start = async () => {
    const approve = {
      id: 'approve',
      z: 'f',
      type: 'eid-approve',
      client: 'c',
      what: 'Release the deposit',
      approversRows: [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann')],
      publicUrl,
      wires: outputs.map((id) => [id]),
    }
    running = await startProcess({
      userDir,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url, environment: 'live', scopes: 'identify' },
        approve,
        { id: 'catch', z: 'f', type: 'catch', scope: null, uncaught: false, wires: [['errors']] },
        ...collectors.map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
      credentials: {
        c: { clientId: 'sandbox', clientSecret: 'sandbox' },
        approve: idsOf({ per: nins.per, kari: nins.kari }),
      },
    })
    return running
  }

  before(async () => {
    service = await startService()
    userDir = mkdtempSync(join(tmpdir(), 'eid-approve-'))
  })
  after(async () => {
    await running?.kill()
    rmSync(userDir, { recursive: true })
    await service.close()
  })

  it('sends the message once, when the approver has answered', async () => {
    const arrived: { at: string; msg: Readonly<Record<string, unknown>> }[] = []
    const restart = async (process: Started) => {
      await process.kill()
      arrived.push(...process.arrived)
      return start()
    }
    const visitor = createVisitor()
    const own = { Origin: new URL(publicUrl).origin }
    let red = await start()
    const here = (address: string) => address.replace(publicUrl, red.url)
    const state = async (place: string, body: object = {}) => {
      const answer = await visitor.call(here(page), place, body, own)
      return answer.ok ? ((await answer.json()) as { state: string; url?: string }) : undefined
    }
    red.send('approve', { payload: 1, identity: ola })
    const notice = await until(() =>
      red.arrived.find(({ at, msg }) => at === 'notices' && msg.approver === 'Per Hansen'),
    )
    const page = String(notice.msg.url)
    red = await restart(red)
    const begun = await until(() => state('start'))
    red = await restart(red)
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const body = JSON.stringify({ action: 'success', nin: nins.per })
    const identified = await fetch(String(begun.url), { method: 'POST', headers, body })
    const { redirect } = (await identified.json()) as { redirect: string }
    await until(async () => (await visitor.open(here(redirect))).status === 303)
    red = await restart(red)
    await until(async () => (await state('state'))?.state === 'identified')
    red = await restart(red)
    await until(async () => (await state('answer', { answer: 'approve' }))?.state === 'answered')
    red = await restart(red)
    await until(async () => (await state('state'))?.state === 'approved')
    await red.kill()
    arrived.push(...red.arrived)
    const sent = arrived.filter(({ at }) => at !== 'notices').map(({ at }) => at)
    // If it was killed just as the message left, an error says so, and the message is not sent a second time.
    should(sent.filter((at) => at === 'approved').length).be.belowOrEqual(1)
    should(sent.filter((at) => at !== 'approved' && at !== 'errors')).deepEqual([])
    should(sent.length).be.aboveOrEqual(1)
    const files = readdirSync(userDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    const kept = files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1')).join('\n')
    for (const id of [nins.per, nins.ola]) should(kept).not.containEql(id)
  })
})
