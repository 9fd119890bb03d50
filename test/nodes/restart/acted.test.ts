/**
 * Node-RED ends while a row for which a share was created is in a node such as "delay": nothing is created twice, and
 * the report says what exists.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../../support/batch-flow'
import { startProcess, type Started } from '../../support/node-red/killable'
import { payslips } from '../../support/batch-flow'
import { startService, type Service } from '../../support/service'
import { until, untilCount } from '../../support/time'

describe('a row that has made a share and is in another node when Node-RED', () => {
  let service: Service
  let userDir: string
  let red: Started
  beforeEach(async () => {
    service = await startService()
    userDir = mkdtempSync(join(tmpdir(), 'eid-acted-'))
  })
  afterEach(async () => {
    await red.kill()
    await service.close()
    rmSync(userDir, { recursive: true })
  })

  const start = async () => {
    red = await startProcess({
      userDir,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id: 'batch', z: 'f', type: 'eid-batch', key: 'payload.unit', wires: [['make'], ['report']] },
        { id: 'make', z: 'f', type: 'eid-share-create', client: 'c', ...payslips, wires: [['stands']] },
        { id: 'catch', z: 'f', type: 'catch', scope: ['make'], wires: [['batch', 'caught']] },
        ...['stands', 'report', 'caught'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
    })
  }
  const at = (place: string) => red.arrived.filter((one) => one.at === place).map(({ msg }) => msg)
  const report = async () =>
    (await until(() => at('report').find(({ status }) => status === 'ended'))).payload as Report
  const made = async () => (await service.requests('createBucket')).length

  for (const [what, signal] of [
    ['is killed', 'SIGKILL'],
    ['is shut down', 'SIGTERM'],
  ] as const) {
    it(`${what} is not sent again, and the report names the share`, async () => {
      await start()
      red.send('batch', { payload: [{ unit: 'A' }, { unit: 'B' }], batchId: 'slips' })
      await untilCount(() => at('stands').length, 2)
      const shares = at('stands').map(({ shareId }) => String(shareId))
      await red.kill(signal)
      await start()
      const { rows, ...totals } = await report()
      should(await made()).equal(2)
      should(totals).deepEqual({ id: 'slips', total: 2, done: 0, failed: 2, changed: 0 })
      should(rows.map(({ state, outcome }) => [state, outcome])).deepEqual(Array(2).fill(['look first', 'unknown']))
      for (const [place, { problem }] of rows.entries()) should(problem).containEql(`share ${shares[place]}`)
    })
  }
})
