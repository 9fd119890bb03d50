/** Lists with several pages: complete, without duplicates, and ended even if the service never ends them. */
import should from 'should'
import deposit from '../../../nodes/deposit/deposit'
import document from '../../../nodes/document/document'
import session from '../../../nodes/identification-session/identification-session'
import { startFlow, stopFlow } from '../../support/flow'
import { json, startStreamServer, type Asked, type StreamServer } from '../../support/servers/stream-server'

describe('a list of several pages', () => {
  let server: StreamServer
  let answer: (asked: Asked) => void
  const client = () => ({ baseUrl: server.url, retries: 0 })
  const list = async (type: string, settings: object = {}) => {
    const module = type === 'eid-document' ? document : session
    const flow = await startFlow({ type, module, settings: { operation: 'list', ...settings }, client: client() })
    flow.send({})
    const { payload } = (await flow.next()) as { payload: Record<string, { [name: string]: string }[]> }
    return payload
  }
  const documents = async (limit = '500') =>
    (await list('eid-document', { limit })).data?.map((one) => one.documentId) ?? []
  const sessions = async (limit = '500') =>
    (await list('eid-identification-session', { limit })).data?.map(({ id }) => id) ?? []
  const entries = async (limit = '500') =>
    (await list('eid-identification-session', { limit, apiVersion: 'v1' })).List?.map(({ Id }) => Id) ?? []

  before(async () => {
    server = await startStreamServer((asked) => answer(asked))
  })
  after(() => server.close())
  beforeEach(() => (server.asked.length = 0))
  afterEach(stopFlow)

  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_none, index) => `id-${from + index}`)
  /** A service that returns fewer items at once than requested. */
  const pageOf = ({ query }: Asked, total: number, maxPage: number) => {
    const offset = Number(query.get('offset'))
    const ids = range(offset, Math.min(total, offset + Math.min(maxPage, Number(query.get('limit')))))
    return { offset, ids, more: offset + ids.length < total }
  }

  it('continues while there are more documents, however short the pages are', async () => {
    answer = (asked) => {
      const { ids, more } = pageOf(asked, 120, 50)
      const links = { next: more ? `${server.url}/signature/documents/summary?offset=50` : '' }
      json(asked, { data: ids.map((documentId) => ({ documentId })), size: ids.length, links })
    }
    should(await documents()).deepEqual(range(0, 120))
    should(server.asked).have.length(3)
  })

  it('goes by the size when the service gives no links, and by full pages when it gives neither', async () => {
    answer = (asked) => {
      const { ids } = pageOf(asked, 120, 50)
      json(asked, { data: ids.map((documentId) => ({ documentId })), size: 120 })
    }
    should(await documents()).have.length(120)
    await stopFlow()
    answer = (asked) => {
      const { ids } = pageOf(asked, 120, 100)
      json(asked, { data: ids.map((documentId) => ({ documentId })) })
    }
    should(await documents()).have.length(120)
    await stopFlow()
    should(await documents('70')).deepEqual(range(0, 70))
  })

  it('gives every document once, also when new ones push the pages on', async () => {
    answer = (asked) => {
      const offset = Number(asked.query.get('offset'))
      const ids = offset === 0 ? range(0, 50) : range(offset - 5, 95)
      json(asked, { data: ids.map((documentId) => ({ documentId })), links: { next: offset < 95 ? 'more' : '' } })
    }
    should(await documents()).deepEqual(range(0, 95))
  })

  /** Answers with pages of this list, from which `leaving` entries go after each answer. */
  const shrinking = (ids: string[], leaving: number, idName: string) => (asked: Asked) => {
    const offset = Number(asked.query.get('offset'))
    const page = ids.slice(offset, offset + Number(asked.query.get('limit')))
    json(asked, { data: page.map((id) => ({ [idName]: id })), size: ids.length })
    ids.splice(0, leaving)
  }

  it('is complete when entries leave it while it is read', async () => {
    const ids = range(0, 230)
    let leaving = 100
    answer = (asked) => {
      shrinking(ids, leaving, 'documentId')(asked)
      leaving = 0
    }
    should(await documents()).deepEqual(range(100, 230))
    await stopFlow()
    const deposits = range(0, 2300)
    leaving = 1000
    answer = (asked) => {
      shrinking(deposits, leaving, 'id')(asked)
      leaving = 0
    }
    const settings = { operation: 'list', limit: '5000' }
    const flow = await startFlow({ type: 'eid-deposit', module: deposit, settings, client: client() })
    flow.send({})
    const { payload } = (await flow.next()) as { payload: { data: { id: string }[]; moved?: true } }
    should(payload.data.map(({ id }) => id)).deepEqual(range(1000, 2300))
    should(payload).not.have.property('moved')
  })

  it('says so when entries leave it at each reading', async () => {
    answer = shrinking(range(0, 5000), 10, 'documentId')
    should(await list('eid-document', { limit: '300' })).have.property('moved', true)
  })

  it('ends when a service gives the same page again and again', async () => {
    answer = (asked) =>
      json(asked, { data: range(0, 3).map((documentId) => ({ documentId })), size: 99, links: { next: 'more' } })
    should(await documents()).deepEqual(range(0, 3))
    should(server.asked).have.length(2)
  })

  it('follows the cursors of sessions, over pages without any, and stops when they go in circles', async () => {
    const pages: Record<string, [string[], string | null]> = {
      '': [range(0, 2), 'a'],
      a: [[], 'b'],
      b: [range(2, 4), 'c'],
      c: [range(4, 5), 'a'],
    }
    answer = (asked) => {
      const [ids = [], nextCursor = null] = pages[asked.query.get('cursor') ?? ''] ?? []
      json(asked, { data: ids.map((id) => ({ id })), nextCursor })
    }
    should(await sessions()).deepEqual(range(0, 5))
    should(server.asked).have.length(4)
  })

  it('ends when there is always another cursor and never a session', async () => {
    answer = (asked) => json(asked, { data: [], nextCursor: `cursor-${server.asked.length}` })
    should(await sessions()).deepEqual([])
    should(server.asked.length).be.belowOrEqual(20)
  })

  it('ends when the older log gives the same page again and again', async () => {
    answer = (asked) => json(asked, { List: range(0, 3).map((Id) => ({ Id })), NextLink: 'more', TotalLinks: 99 })
    should(await entries()).deepEqual(range(0, 3))
    should(server.asked).have.length(2)
  })
})
