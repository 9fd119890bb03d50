/** "wait" for files that the service has deleted: the wait ends, and polls no more. */
import should from 'should'
import node from '../../../nodes/wait/wait'
import events from '../../../nodes/events/events'
import { areFilesDeleted } from '../../../nodes/wait/resource-state'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import { act, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'

const hour = 3_600_000

describe('wait, for files that are deleted', () => {
  let service: Service
  let parties: Parties
  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  it('ends at the second output once an event says so', async () => {
    const { documentId, signers } = await parties.createDocument('deleted-1')
    await act(signers[0]?.url ?? '')
    await service.sandbox.clock.advance(8 * 24 * hour)
    const flow = await startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      settings: { what: 'files-ready', pollInterval: '0.05', maxInterval: '0.2' },
      client: { baseUrl: service.url, retries: 0 },
      modules: [events],
      more: [{ id: 'e', z: 'f', type: 'eid-events', client: 'c', interval: 0.05, wires: [[]] }],
    })
    flow.send({ documentId, kept: 1 })
    should(await flow.next(1)).have.properties({ documentId, status: 'deleted', timedOut: false, kept: 1 })
  })

  it('finds out from the record alone, when the time for which files are kept is over', () => {
    const signed = Date.parse('2031-01-01T08:00:00Z')
    const record = (completedPackages: string[], deleteAfterHours?: number) => ({
      status: { documentStatus: 'signed', completedPackages },
      signers: [{ documentSignature: { signedTime: '2031-01-01T08:00:00Z' } }, {}],
      advanced: { timeToLive: { ...(deleteAfterHours !== undefined && { deleteAfterHours }) } },
    })
    const rows: readonly [unknown, number, boolean][] = [
      [record([]), 167, false],
      [record([]), 169, true],
      [record([], 24), 25, true],
      [record([], 336), 169, false],
      [record(['native', 'pades']), 169, false],
      [{}, 9999, false],
    ]
    for (const [one, hours, gone] of rows)
      should(areFilesDeleted(RED, 'record-1', one, signed + hours * hour)).equal(gone)
  })
})
