/**
 * The example "consent by QR code": the address in the code, who may send which data with the form, and what is stored.
 */
import should from 'should'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExample, type RunningExample } from './support/examples/running-example'
import { scanPage } from './support/qr-code'
import { until } from './support/time'

describe('the example of consent by QR code', () => {
  let example: RunningExample
  before(async () => void (example = await runExample('Consent by QR code')))
  after(() => example?.stop())
  /** The tab, which has no name, with this Node-RED's address in its environment variable. */
  const here = () => ({ '': { env: [{ name: 'NODE_RED_ADDRESS', value: example.red.url, type: 'str' }] } })
  const publicAt = (value: string) => ({ 'the address': { rules: [{ ...address, to: `"${value}"` }] } })
  const address = { t: 'set', p: 'address', pt: 'msg', tot: 'jsonata' }
  const poster = async () => (await fetch(`${example.red.url}/eid-example/poster`)).text()
  const ola = { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' }
  const send = (form: Record<string, string>) =>
    fetch(`${example.red.url}/eid-example/consent`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
  const kept = () => {
    const folder = join(example.folder, 'eid-consents')
    const names = existsSync(folder) ? readdirSync(folder) : []
    return names
      .filter((name) => name.startsWith('index-'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  }

  it('draws a code that leads to the form, whatever the length of the address', async () => {
    should(scanPage(await poster())).equal('http://127.0.0.1:1880/eid-example/consent')
    // Lengths at the limits of the code's sizes, from the smallest to the largest size.
    for (const length of [14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106]) {
      const leads = 'http://a.example/'.padEnd(length, 'consent/').slice(0, length)
      await example.deploy(publicAt(leads))
      should(scanPage(await poster())).equal(leads)
    }
  })

  it('shows no code for an address that is too long, and says why', async () => {
    await example.deploy(publicAt('https://flows.example.com/'.padEnd(107, 'a')))
    const page = await poster()
    should(page).match(/It did not work/)
    should(page).not.match(/too long|svg/)
    await until(() => /draw the QR code: .*too long for the QR code/.test(example.red.output()))
  })

  it('makes one consent of a form that is sent twice, and keeps the signed one', async () => {
    await example.deploy(here())
    const key = 'a'.repeat(32)
    const answers = await Promise.all([send({ ...ola, key }), send({ ...ola, key })])
    should(answers.map(({ status }) => status)).deepEqual([302, 302])
    should(await (await fetch(answers[0]?.headers.get('location') ?? '')).text()).match(/iframe/)
    should(await example.titles()).have.length(1)
    await example.press('Ola scans the code', 'consent kept')
    should(await example.titles()).have.length(2)
    should(kept()).have.length(1)
    const [folder = ''] = readdirSync(join(example.folder, 'eid-consents')).filter((one) => one.includes('Consent'))
    should(readdirSync(join(example.folder, 'eid-consents', folder)).length).be.above(2)
  })

  it('sends nothing for a form without a name, and shows the person nothing internal', async () => {
    await example.deploy(here())
    const before = await example.titles()
    for (const form of [{}, { ...ola, email: 'not an address' }, { key: 'a'.repeat(32) }]) {
      const answer = await send(form as Record<string, string>)
      should(answer.status).equal(400)
      should(await answer.text()).not.match(/EID_|signer|outcome/i)
    }
    should(await example.titles()).deepEqual(before)
  })

  it('takes no key but one of its own form, so that no one gets the page of another person', async () => {
    await example.deploy(here())
    const key = 'b'.repeat(32)
    should((await send({ ...ola, key })).status).equal(302)
    // With a used key, another person is refused. Any other key counts as absent.
    should((await send({ ...ola, firstName: 'Kari', key })).status).equal(500)
    const before = (await example.titles()).length
    for (const odd of ['', '../x', `${key}x`, 'consent-1']) should((await send({ ...ola, key: odd })).status).equal(302)
    should(await example.titles()).have.length(before + 4)
  })

  it('keeps nothing of a person who leaves, or who does not sign within a day', async () => {
    const client = 'e1d0c11e47000001'
    const day = '{"advance":90000}'
    const leave = '$replace(signers[0].url, /\\/sign\\/start\\?jwt=([^&]+).*/, "/sign/$1/cancel")'
    const rules = [
      { t: 'set', p: 'url', pt: 'msg', to: leave, tot: 'jsonata' },
      { t: 'set', p: 'payload', pt: 'msg', to: '{}', tot: 'json' },
    ]
    const clock = [
      { id: 'later', type: 'inject', props: [{ p: 'payload', v: day, vt: 'json' }], wires: [['clock']] },
      { id: 'clock', type: 'eid-request', client, method: 'POST', path: '/sandbox/clock', wires: [[]] },
    ]
    await example.deploy({ ...here(), "Ola's sign button": { rules } }, clock)
    const before = kept().length
    await example.press('Ola scans the code', 'Ola has signed')
    await example.press('later', 'no consent')
    should(kept()).have.length(before)
  })
})
