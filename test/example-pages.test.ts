/** The examples with pages of our own: a person who leaves has neither signed nor identified. */
import should from 'should'
import { until } from './support/time'
import { runExample, type RunningExample } from './support/examples/running-example'

const lastOf = (output: string, debug: string) => output.split(`[debug:${debug}]`).pop() ?? ''
const set = (p: string, to: string, tot: string) => ({ t: 'set', p, pt: 'msg', to, tot })

describe('the example', () => {
  let example: RunningExample | undefined
  afterEach(() => example?.stop())

  it('of signing in our own page takes a person who leaves for one who has not signed', async () => {
    const one = await runExample('Signing in our own page')
    example = one
    const address = { '': { env: [{ name: 'NODE_RED_ADDRESS', value: one.red.url, type: 'str' }] } }
    const leave = '$replace(signers[0].url, /\\/sign\\/start\\?jwt=([^&]+).*/, "/sign/$1/cancel")'
    const rules = [set('url', leave, 'jsonata'), set('payload', '{}', 'json')]
    await one.deploy({ ...address, "Ola's sign button": { rules } })
    await one.press('make a page', 'not signed')
    should(one.red.output()).match(/debug:not signed\] user_canceled/)
    should(one.times('signed')).equal(0)
    await one.deploy(address)
    await one.press('make a page', 'signed')
  })

  it('of a person who identifies lets only that person continue, in the browser in which it began', async () => {
    const one = await runExample('Identify a person')
    example = one
    await one.deploy({
      '': { env: [{ name: 'NODE_RED_ADDRESS', value: one.red.url, type: 'str' }] },
      'open this page': { complete: 'embedUrl & " " & sessionId', targetType: 'jsonata' },
    })
    /** Opens the page, identifies with these details, and lets a browser with the cookie report it. */
    const visit = async (details: object, own = true) => {
      await one.press('start', 'open this page')
      const [, page = '', sessionId] =
        /(http\S+\/eid-example\/who\/\S+) (\S+)/.exec(lastOf(one.red.output(), 'open this page')) ?? []
      const html = await (await fetch(page)).text()
      const { url } = JSON.parse(/id="data"[^>]*>([^<]+)/.exec(html)?.[1] ?? '') as { url: string }
      const begun = await fetch(`${page}/begin`, { method: 'POST' })
      const cookie = own ? (begun.headers.get('set-cookie') ?? '').split(';')[0] : undefined
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
      await fetch(url, { method: 'POST', headers, body: JSON.stringify({ action: 'success', ...details }) })
      const data = JSON.stringify({ sessionId, status: 'success' })
      const body = JSON.stringify({ origin: new URL(url).origin, data })
      return (await fetch(`${page}/messages`, { method: 'POST', body, headers: { ...(cookie && { cookie }) } })).status
    }
    should(await visit({}, false)).equal(403)
    should(await visit({ dateOfBirth: '1991-02-02' })).equal(204)
    await until(() => one.times('not Ola') === 1)
    should(one.times('identified')).equal(0)
    should(await visit({})).equal(204)
    await until(() => one.times('identified') === 1)
    should(one.red.output()).match(/debug:identified\] Ola Nordmann/)
  })
})
