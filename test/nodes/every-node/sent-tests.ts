/** What the tests of "Send a test" share: a service, the editor's route, and a client that is not deployed. */
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { startFlow, stopFlow } from '../../support/flow'
import { startPublicSide, type PublicSide } from '../../support/public-site'
import { startService, type Service } from '../../support/service'

export interface Answer {
  readonly ok: boolean
  readonly text: string
  readonly url?: string
  readonly ask?: boolean
}

export interface Sender {
  readonly service: Service
  /** The address to which the form sends the test. */
  readonly url: string
  post(body: object): Promise<Answer>
  /** A client as the form has it; its secrets are the ones that Node-RED stores. */
  client(more?: object): { readonly id: string; readonly settings: object; credentials: object }
}

export const to = { email: 'ola.nordmann@example.com' }

/** Call it in a `describe`: each test gets the same service, reset. */
export function useSender(take: (sender: Sender) => void): void {
  let service: Service
  let admin: PublicSide
  let url = ''
  const post = async (body: object) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    should(answer.status).equal(200)
    return (await answer.json()) as Answer
  }
  const client = (more: object = {}) => ({
    id: 'not-deployed',
    settings: { environment: 'sandbox', baseUrl: service.url, ...more },
    credentials: { clientId: '__PWRD__', clientSecret: '__PWRD__' },
  })
  before(async () => {
    service = await startService()
    admin = await startPublicSide('httpAdmin')
    url = `${admin.url}/eid/send-test`
    await startFlow({ type: 'eid-create-document', module: node, modules: [admin.module], settings: {}, client: {} })
    take({ service, url, post, client })
  })
  beforeEach(() => service.reset())
  after(async () => {
    await stopFlow()
    await service.close()
    await admin.close()
  })
}
