/**
 * A call has reached the service when Node-RED deploys or stops: the log says what the call was for, and that its
 * outcome is unknown.
 *
 * @rest
 */
import should from 'should'
import { startService, type Service } from '../support/service'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { linkPackage } from '../support/node-red/user-folder'

const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }

describe('a call on its way when the flow is closed', () => {
  let service: Service
  let red: NodeRedProcess
  let folder: ReturnType<typeof temporaryFolder>
  let stopped: boolean

  const flows = (name: string) => {
    const place = { z: 'f', x: 100, y: 100 }
    const payload = { category: 'TENANT', username: 'ola.nordmann@example.com' }
    return [
      { id: 'f', type: 'tab', label: 'test' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      {
        ...place,
        id: 'i',
        type: 'inject',
        once: true,
        onceDelay: '0.1',
        repeat: '',
        crontab: '',
        wires: [['n']],
        props: [
          { p: 'payload', v: JSON.stringify(payload), vt: 'json' },
          { p: 'depositId', v: 'deposit-funded-1', vt: 'str' },
        ],
      },
      { ...place, id: 'n', type: 'eid-deposit-terminate', name, client: 'c', wires: [[]] },
      { ...place, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [[]] },
    ]
  }

  beforeEach(async () => {
    service = await startService()
    await service.fault({ operation: 'terminateDeposit', kind: 'slow', delay: 30_000 })
    folder = temporaryFolder()
    linkPackage(folder.path)
    stopped = false
    red = await startRuntime(installation, folder.path, flows('release'))
    await until(async () => (await service.requests('terminateDeposit')).length === 1)
  })
  afterEach(async () => {
    if (!stopped) await red.stop()
    folder.remove()
    await service.close()
  })

  const lines = () =>
    red
      .output()
      .split('\n')
      .filter((line) => line.includes('terminate') && line.includes('unknown'))

  const closings: readonly [string, () => Promise<unknown>][] = [
    ...(['nodes', 'flows', 'full'] as const).map((kind): [string, () => Promise<unknown>] => [
      `a deploy of ${kind}`,
      async () => {
        const headers = { 'Content-Type': 'application/json', 'Node-RED-Deployment-Type': kind }
        const body = JSON.stringify(flows('changed').filter(({ id }) => id !== 'i'))
        should((await fetch(`${red.url}/flows`, { method: 'POST', headers, body })).ok).be.true()
      },
    ]),
    ['SIGTERM', () => ((stopped = true), red.stop())],
  ]
  for (const [what, close] of closings) {
    it(`leaves one line in the log at ${what}`, async () => {
      await close()
      await until(() => lines().length > 0)
      should(lines()).have.length(1)
      should(lines()[0]).match(/eid-deposit-terminate:release/)
      should(lines()[0]).match(/POST \/deposit\/personal\/\{id\}\/terminate/)
      should(lines()[0]).match(/deposit-funded-1/)
      should(lines()[0]).match(/outcome: unknown/)
      should(red.output()).not.match(/nordmann/)
    })
  }
})
