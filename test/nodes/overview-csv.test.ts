/** "overview": the rows as a file for a spreadsheet. */
import { parse } from 'papaparse'
import should from 'should'
import node from '../../nodes/overview/overview'
import { queryHeader } from '../../nodes/overview/view'
import { pendingChanged, registerPending } from '../../lib/runtime/monitor/pending'
import { RED } from '../support/errors'
import { removeFlow, startFlow } from '../support/flow'
import { kari, overviewUsers } from '../support/overview-users'
import type { PublicSide } from '../support/public-site'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'

describe('the CSV file of the overview page', () => {
  let site: PublicSide
  let forget = () => {}
  useSides((sides) => ({ site } = sides))
  afterEach(() => {
    forget()
    return removeFlow()
  })

  const start = async (titles: readonly string[], more: object = {}) => {
    await startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module],
      settings: { client: '' },
      secrets: { users: overviewUsers },
    })
    const items = titles.map((title, number) => ({
      wait: `w-${number}`,
      kind: 'document',
      id: `d-${number}`,
      title,
      client: 'c',
      since: `2031-06-16T22:30:0${number}.000Z`,
      until: '2031-12-31T11:00:00.000Z',
      waitingFor: [{ name: 'Kari Nordmann' }],
      node: { id: 'n', name: '', flow: 'Leases' },
      ...more,
    }))
    const no = () => Promise.resolve(false)
    forget = registerPending(RED, 'of-this-test', {
      list: () => Promise.resolve(items as never),
      find: () => Promise.resolve(undefined),
      askNow: no,
      stopWaiting: no,
    })
    pendingChanged(RED)
    await until(async () => (await fetch(`${site.url}/contracts`)).status === 401)
  }
  const fetchFile = async (query: object, language = 'en') => {
    const asked = { [queryHeader]: encodeURIComponent(JSON.stringify(query)), 'Accept-Language': language }
    const answer = await fetch(`${site.url}/contracts/rows.csv`, { headers: { ...kari, ...asked } })
    should(answer.status).equal(200)
    should(answer.headers.get('content-disposition')).startWith('attachment')
    return Buffer.from(await answer.arrayBuffer()).toString('utf8')
  }
  const cellsOf = (text: string) => parse<string[]>(text.slice(1), { delimiter: ';' }).data

  it('opens into columns, whatever the titles contain', async () => {
    await start(['Lease; Storgata "12"', 'Lease,\nStorgata 14'])
    const text = await fetchFile({})
    should(text).startWith('\uFEFFTitle;Type;Waiting for;')
    should(cellsOf(text).map(([title]) => title)).deepEqual(['Title', 'Lease; Storgata "12"', 'Lease,\nStorgata 14'])
  })

  it('has nothing that a spreadsheet would run', async () => {
    const titles = ['=HYPERLINK("https://attacker.example")', '+1', '-1', '@SUM(A1)', '\tx', '=1+1\nx', '\n=1+1']
    await start(titles)
    const [, ...rows] = cellsOf(await fetchFile({}))
    // A line break may become a new cell, so what follows it is guarded too.
    should(rows.map(([title]) => title)).deepEqual(titles.map((title) => `'${title.replace('\n=', "\n'=")}`))
  })

  it("has the times of the browser's zone, which its heading names", async () => {
    await start(['Lease'])
    const [head = [], row = []] = cellsOf(await fetchFile({ zone: 'Europe/Oslo' }, 'nb'))
    should(head.slice(2, 6)).deepEqual([
      'Venter på',
      'Startet (Europe/Oslo)',
      'Frist (Europe/Oslo)',
      'Avsluttet (Europe/Oslo)',
    ])
    should(row.slice(3, 6)).deepEqual(['2031-06-17 00:30', '2031-12-31 12:00', ''])
  })

  it("has the times of Node-RED's zone if the browser names none", async () => {
    await start(['Lease'])
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    for (const zone of [undefined, '', 'Nowhere/Storgata', 7]) {
      const [head = [], row = []] = cellsOf(await fetchFile({ zone }))
      should(head[3]).equal(`Since (${own})`)
      const [year, month, day, hours, minutes] = (row[3] ?? '').split(/[- :]/).map(Number)
      should(new Date(year ?? 0, (month ?? 0) - 1, day, hours, minutes).toISOString()).equal('2031-06-16T22:30:00.000Z')
    }
  })

  it('says which contracts are paused because their client uses another service now', async () => {
    await start(['Lease'], { service: 'sandbox.example.com' })
    const [, row = []] = cellsOf(await fetchFile({}))
    should(row[6]).match(/^Paused: .*sandbox\.example\.com/)
    const [, norwegian = []] = cellsOf(await fetchFile({}, 'nb'))
    should(norwegian[6]).match(/^På pause: .*sandbox\.example\.com/)
  })

  it('calls people of other lists by another word, because none of them is waited for', async () => {
    await start(['Lease'])
    for (const section of ['done', 'expired', 'failed', 'lists'])
      should(cellsOf(await fetchFile({ section }))[0]?.[2]).equal('People')
  })
})
