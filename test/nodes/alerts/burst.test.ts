/** "alerts" when far more waits end at once than fit in the list of ended waits. @rest */
import should from 'should'
import { startProcess } from '../../support/node-red/killable'
import { startParties } from '../../support/parties'
import { startService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

describe('alerts, when more than a thousand waits end at once', () => {
  it('reports each of them', async () => {
    const service = await startService()
    const folder = temporaryFolder()
    const parties = await startParties(service)
    const flow = [
      { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
      {
        id: 'w',
        z: 'f',
        type: 'eid-wait',
        client: 'c',
        pollInterval: '60',
        timeout: '5',
        wires: [['h'], ['h'], ['h']],
      },
      { id: 'a', z: 'f', type: 'eid-alerts', client: '', kinds: 'expired', wires: [['alert']] },
      ...['h', 'alert'].map((id) => ({ id, z: 'f', type: 'helper' })),
    ]
    const red = await startProcess({ userDir: folder.path, flow })
    const { documentId } = await parties.createDocument('open')
    const count = 1200
    for (let number = 0; number < count; number++) red.send('w', { documentId })
    const at = (id: string) => red.arrived.filter((one) => one.at === id).length
    await until(() => at('h') === count)
    await until(() => at('alert') >= count).catch(() => undefined)
    await red.kill()
    await service.close()
    folder.remove()
    should(at('alert')).equal(count)
  })
})
