/** Runs the nodes of the flow file of 1.0 one by one, against a sandbox of their own. */
import { removeFlow, type Flow } from './flow'
import { startParties, type Parties } from './parties'
import { startPublicSide, type PublicSide } from './public-site'
import { startService, type Service } from './service'
import { load, startStored } from './stored-flows'

const stored = load('test/fixtures/flows-1.0.json')

export interface StoredBench {
  readonly service: Service
  readonly site: PublicSide
  readonly parties: Parties
  /** Starts the node that is stored under this id. `service` is the address of another sandbox that the node uses. */
  start(id: string, service?: string): Promise<Flow>
  /**
   * Starts the node, sends it the message, returns the first message of the output, and removes the flow; fails if the
   * node refuses.
   */
  run(id: string, msg: object, output?: number): Promise<Record<string, unknown>>
  /** The last recorded call, without calls for a token. */
  asked(): Promise<{ what: string; query: Record<string, string>; body: unknown }>
}

/**
 * Registers hooks that prepare a `StoredBench` for each test. The returned function returns this bench while a test
 * runs.
 */
export function useStored(): () => StoredBench {
  let bench: StoredBench
  before(async () => {
    const service = await startService()
    const site = await startPublicSide()
    const start = (id: string, address = service.url) =>
      startStored(stored, id, { service: address, site: site.url }, site.module)
    const run = async (id: string, msg: object, output = 0) => {
      const flow = await start(id)
      flow.send({ ...msg })
      const refused = flow.caught().then(({ error }) => Promise.reject(new Error(error.message)))
      const answer = await Promise.race([flow.next(output), refused])
      await removeFlow()
      return answer
    }
    const asked = async () => {
      const call = (await service.requests()).filter(({ path }) => !path.endsWith('/token')).at(-1)
      if (!call) throw new Error('nothing was asked')
      return { what: `${call.method} ${call.path}`, query: call.query, body: call.body }
    }
    bench = { service, site, parties: await startParties(service), start, run, asked }
  })
  after(async () => {
    await bench.service.close()
    await bench.site.close()
  })
  beforeEach(async () => {
    await bench.service.reset()
    bench = { ...bench, parties: await startParties(bench.service) }
  })
  afterEach(removeFlow)
  return () => bench
}
