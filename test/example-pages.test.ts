/** The examples with pages of our own: a person who leaves has neither signed nor identified. */
import should from 'should'
import { runExample, type RunningExample } from './support/examples/running-example'

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

  it('of identification in our own page takes a person who leaves for one who is not identified', async () => {
    const one = await runExample('Identification in our own page')
    example = one
    const address = { '': { env: [{ name: 'NODE_RED_ADDRESS', value: one.red.url, type: 'str' }] } }
    const tell = (to: string) => set('payload', to, 'jsonata')
    const told =
      '{"origin": $match(url, /^https?:\\/\\/[^\\/]+/).match, "data": $string({"sessionId": sessionId, "status": "aborted"})}'
    await one.deploy({
      ...address,
      "Ola's answer": { rules: [set('url', 'payload.url', 'msg'), set('payload', '{"action":"abort"}', 'json')] },
      'what the frame reports': { rules: [tell(told), set('url', 'embedUrl & "/messages"', 'jsonata')] },
    })
    await one.press('make a page', 'not identified')
    should(one.red.output()).match(/debug:not identified\] aborted/)
    should(one.times('identified')).equal(0)
    await one.deploy(address)
    await one.press('make a page', 'identified')
  })
})
