/** Ends other than success in the examples "from enquiry to keys" and "from an Excel list". @rest */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { runExample, type RunningExample } from './support/examples/running-example'
import { until } from './support/time'
import { sentence } from './support/wording'

/** Moves the sandbox's clock past every deadline. */
const clock = [
  { id: 'later', type: 'inject', props: [{ p: 'payload', v: '{"advance":4000000}', vt: 'json' }], wires: [['clock']] },
  { id: 'clock', type: 'eid-request', client: 'e1d0c11e47000001', method: 'POST', path: '/sandbox/clock', wires: [[]] },
]

describe('the example from enquiry to keys', () => {
  let example: RunningExample
  before(async () => void (example = await runExample('From enquiry to keys')))
  after(() => example?.stop())
  const calling = (phone: string) => ({
    props: [
      { p: 'phone', v: phone, vt: 'str' },
      { p: 'birthDate', v: '1990-01-01', vt: 'str' },
    ],
  })
  const button = 'Ola wants the flat'

  for (const [what, phone, status] of [
    ['refuses', '+4790000001', 'user_aborted'],
    ['does not answer', '+4790000003', 'timed_out'],
  ] as const) {
    it(`says that there is no lease when the person ${what}`, async () => {
      await example.deploy({ [button]: calling(phone) })
      await example.press(button, 'no lease')
      should(example.red.output()).match(new RegExp(`debug:no lease\\] ${status}`))
      should(await example.titles()).be.empty()
    })
  }

  it('says that there is no signature when the lease expires', async () => {
    await example.deploy({ 'press sign': { wires: [[]] } }, clock)
    await example.press(button)
    await until(async () => (await example.titles()).length === 1)
    await example.press('later', 'no signature')
    should(example.red.output()).match(/debug:no signature\] expired/)
    should(example.times('hand over the keys')).equal(0)
  })
})

describe('the example from an Excel list', () => {
  let example: RunningExample
  before(async () => void (example = await runExample('From Excel and Word to signed files')))
  after(() => example?.stop())

  it('writes its report to a file that names the failed row as the spreadsheet does', async () => {
    await example.press('send the leases', 'report')
    const file = join(example.folder, 'leases-report.csv')
    const read = () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [])
    await until(() => read().length === 41)
    const [head, ...rows] = read()
    should(head).startWith('\uFEFFNumber;First name;Last name;E-mail;Address;Rent;From;row;fileRow;key;state;')
    const failed = rows.filter((row) => row.includes(';failed;'))
    should(failed).have.length(1)
    should(failed[0]).match(/^T-17;.*;17;18;T-17;failed;/)
    should(failed[0]).containEql(sentence('client', 'problems.email', { path: 'Signer 1: e-mail ({E-mail})' }))
  })

  it('sends no second lease when the list is forgotten and sent again, and names those that expire', async () => {
    await example.deploy({}, clock)
    await example.press('forget the list')
    await example.press('send the leases', 'report')
    const sent = await example.titles()
    should(sent).have.length(39)
    await example.press('forget the list')
    await example.press('send the leases', 'report')
    should(await example.titles()).deepEqual(sent)
    await example.press('later', 'not signed')
    await until(() => example.red.output().includes('Lease T-40: expired'))
  })
})
