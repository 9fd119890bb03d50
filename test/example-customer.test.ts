/** The example "know your customer": who is accepted, who is not, and when a person decides. @rest */
import should from 'should'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExample, type RunningExample } from './support/examples/running-example'
import { until } from './support/time'

describe('the example of know your customer', () => {
  let example: RunningExample
  before(async () => void (example = await runExample('Know your customer')))
  after(() => example?.stop())
  const told = 'in place of the email node'
  const button = 'Ola becomes a customer'
  const output = () => example.red.output()
  const register = () => {
    const file = join(example.folder, 'eid-customers', 'register.jsonl')
    if (!existsSync(file)) return []
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  /** Ola with another phone number, so that the declaration is a new one. */
  const ola = (number: string) => {
    const person = {
      firstName: 'Ola',
      lastName: 'Nordmann',
      birthDate: '1990-01-01',
      email: 'ola.nordmann@example.com',
    }
    return { props: [{ p: 'customer', v: JSON.stringify({ number, phone: '+4799999999', ...person }), vt: 'json' }] }
  }

  it('sends nothing to a phone that refuses, does not answer or belongs to another person', async () => {
    await Promise.all([example.press('someone refuses'), example.press('no one answers')])
    await until(() => example.times('not identified') === 2)
    should(output()).match(/K-1004: not identified \(user_aborted\)/)
    should(output()).match(/K-1005: not identified \(timed_out\)/)
    await example.press("Ola's phone, Kari's name", 'another person')
    should(await example.titles()).be.empty()
    should(register()).be.empty()
  })

  it('reports a number that the service refuses as the problem, without showing it', async () => {
    await example.press('a wrong number', 'problem')
    should(output()).match(/ask the phone: .*phone ?number.*\(EID_REFUSED\)/i)
    should(output()).not.match(/call me/)
    should(await example.titles()).be.empty()
  })

  it('accepts a customer once, also when the button is pressed while the declaration waits', async () => {
    await Promise.all([example.press(button), example.press(button)])
    await until(() => example.times('accepted') > 0)
    await example.press(button, 'accepted')
    should(await example.titles()).deepEqual(['Declaration of customer K-1001'])
    const [line] = register()
    should(line).have.properties({ customer: 'K-1001', decision: 'accepted', doubts: [] })
    should(line?.answers).deepEqual({ money: 'My salary', office: 'no' })
    should(line?.person).have.properties({ firstName: 'Ola', lastName: 'Nordmann', birthDate: '1990-01-01' })
    const archive = join(example.folder, 'eid-customers', 'archive')
    const index = readdirSync(archive).find((name) => name.startsWith('index-')) ?? ''
    should(readFileSync(join(archive, index), 'utf8').trim().split('\n')).have.length(1)
    should(readdirSync(archive).filter((one) => one.includes('Declaration of customer K-1001'))).have.length(1)
    should(example.times(told)).equal(0)
  })

  it('lets a person decide about a public office, an unclear answer and the signature of another person', async () => {
    await example.press('Ola holds an office', told)
    should(output()).match(/customer K-1002 \/ .*: public office: yes\./)
    await example.press('another person signs', told)
    should(output()).match(/customer K-1006 \/ .*: signed by another person\./)
    const url = '$replace(signers[0].url, /\\/sign\\/start\\?jwt=([^&]+).*/, "/sign/$1/sign")'
    const unclear = '{"formFields": {"money": "My salary", "office": "I do not know"}}'
    const rules = [
      { t: 'set', p: 'url', pt: 'msg', to: url, tot: 'jsonata' },
      { t: 'set', p: 'payload', pt: 'msg', to: unclear, tot: 'json' },
    ]
    await example.deploy({ [button]: ola('K-2001'), "Ola's answers": { rules } })
    await example.press(button, told)
    should(output()).match(/customer K-2001 \/ .*: public office: I do not know\./)
    const decisions = register().map(({ customer, decision }) => `${String(customer)} ${String(decision)}`)
    for (const number of ['K-1002', 'K-1006', 'K-2001']) should(decisions).containEql(`${number} a person decides`)
  })

  it('neither accepts nor writes down a customer whose declaration expires', async () => {
    const client = 'e1d0c11e47000001'
    const nobody = { "Ola's answers": { wires: [[]] } }
    const clock = [
      {
        id: 'later',
        type: 'inject',
        props: [{ p: 'payload', v: '{"advance":1296000}', vt: 'json' }],
        wires: [['clock']],
      },
      { id: 'clock', type: 'eid-request', client, method: 'POST', path: '/sandbox/clock', wires: [[]] },
    ]
    await example.deploy({ [button]: ola('K-2002'), ...nobody }, clock)
    await example.press(button)
    await until(async () => (await example.titles()).includes('Declaration of customer K-2002'))
    await example.press('later', 'not signed')
    should(output()).match(/K-2002: not signed \(expired\)/)
    should(register().filter(({ customer }) => customer === 'K-2002')).be.empty()
  })
})
