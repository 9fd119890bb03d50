/** "wait": *Only if the person is*. Who has identified decides between the first and the second output. */
import should from 'should'
import { expectedPerson, readExpected, reasonAgainst } from '../../../nodes/wait/expected-person'
import node from '../../../nodes/wait/wait'
import { removeFlow, startFlow } from '../../support/flow'
import { identify, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { sentence } from '../../support/wording'

/** What the service says of Ola Nordmann. */
const identity = { providerId: 'a', fullName: 'Ola Nordmann', dateOfBirth: '1990-01-01', nin: '00000000000' }
const record = (more: object = {}) => ({ status: 'success', provider: 'no_eid', identity: { ...identity, ...more } })

const from = (property: string, type = 'msg') => ({ [property]: `who.${property}`, [`${property}Type`]: type })
const nin = from('expectedNin')
const born = from('expectedDateOfBirth')
const named = from('expectedName')

describe('wait, only if the person is', () => {
  let service: Service
  let parties: Parties
  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  const start = (settings: object) => {
    const own = { what: 'session', pollInterval: '0.05', maxInterval: '0.2', ...settings }
    const client = { baseUrl: service.url, retries: 0 }
    return startFlow({ type: 'eid-wait', module: node, outputs: 3, settings: own, client })
  }
  const createSession = (include: readonly string[]) =>
    parties.call<{ id: string; url: string }>('POST', '/identification/v2/sessions', {
      flow: 'iframe',
      allowedProviders: ['no_eid_mobile'],
      include,
      iframeSettings: { parentDomains: ['http://127.0.0.1'], postMessageTargetOrigin: 'http://127.0.0.1' },
    })
  const all = ['nin', 'date_of_birth', 'name']

  const cases: readonly (readonly [title: string, settings: object, who: object, output: number, reason?: string])[] = [
    ['the national id is right', nin, { expectedNin: '000000 00000' }, 0],
    ['the national id is another', nin, { expectedNin: '99999999999' }, 1, 'another person'],
    ['the birth date is right', born, { expectedDateOfBirth: '01.01.1990' }, 0],
    ['the birth date is right, as a Date', born, { expectedDateOfBirth: new Date(1990, 0, 1) }, 0],
    ['the birth date is another', born, { expectedDateOfBirth: '1990-01-02' }, 1, 'another person'],
    ['the name is right', named, { expectedName: ' ola  NORDMANN' }, 0],
    ['the name is another', named, { expectedName: 'Kari Nordmann' }, 1, 'another person'],
    [
      'all is right',
      { ...nin, ...born, ...named },
      { expectedNin: '00000000000', expectedDateOfBirth: '1990-01-01', expectedName: 'Ola Nordmann' },
      0,
    ],
    [
      'one of all is another',
      { ...nin, ...named },
      { expectedNin: '00000000000', expectedName: 'Kari Nordmann' },
      1,
      'another person',
    ],
  ]
  for (const [title, settings, who, output, reason] of cases) {
    it(`${output === 0 ? 'lets the message pass' : 'holds the message back'} if ${title}`, async () => {
      const { id, url } = await createSession(all)
      await identify(url)
      const flow = await start(settings)
      flow.send({ sessionId: id, who, reason: 'of an earlier node' })
      const msg = await flow.next(output)
      should(msg).have.properties({ status: 'success', reason })
    })
  }

  for (const [title, include] of [
    ['the birth date', ['nin', 'name']],
    ['anything', []],
  ] as const) {
    it(`refuses to wait if the identification does not ask for ${title}`, async () => {
      const { id } = await createSession(include)
      const flow = await start(born)
      flow.send({ sessionId: id, who: { expectedDateOfBirth: '1990-01-01' } })
      const { error } = await flow.caught()
      should(error).have.property('code', 'EID_CONFIG')
      should(error.message).equal(sentence('wait', 'errors.notAskedFor', { included: 'birth date' }))
    })
  }

  for (const [title, who] of [
    ['missing', {}],
    ['null', { expectedNin: null }],
    ['empty', { expectedNin: '' }],
    ['made of spaces', { expectedNin: ' - ' }],
  ] as const) {
    it(`refuses a message whose expected value is ${title}`, async () => {
      const { id, url } = await createSession(all)
      await identify(url)
      const flow = await start(nin)
      flow.send({ sessionId: id, who })
      const { error } = await flow.caught()
      should(error).have.property('code', 'EID_INVALID_INPUT')
      should(error.message).match(/who\.expectedNin|Expected national id is missing/)
      should(flow.waiting().out).equal(0)
    })
  }

  it('compares no one if nothing is expected', async () => {
    const { id, url } = await createSession([])
    await identify(url)
    const flow = await start({})
    flow.send({ sessionId: id })
    should(await flow.next(0)).not.have.property('reason')
  })
})

describe('an expected person', () => {
  const expected = (values: object) => {
    const found = expectedPerson(values, [])
    if (!found) throw new Error('no person is expected')
    return found
  }

  it('is not proven by a session that gives no such value, or whose personal data is gone', () => {
    const who = expected({ expectedNin: '00000000000' })
    for (const gone of [record({ nin: undefined }), record({ nin: '' }), { status: 'success' }, undefined]) {
      should(reasonAgainst(who, gone)).equal('not proven')
    }
    should(reasonAgainst(who, record())).be.undefined()
  })

  it('is another one if one value differs and another is missing', () => {
    const who = expected({ expectedNin: '00000000000', expectedName: 'Kari Nordmann' })
    should(reasonAgainst(who, record({ nin: undefined }))).equal('another person')
  })

  it('is kept without the national id, and read back', () => {
    const kept = JSON.parse(JSON.stringify(expected({ expectedNin: '12345678901' }))) as object
    should(JSON.stringify(kept)).not.containEql('12345678901')
    const read = readExpected(kept)
    should(read && reasonAgainst(read, record({ nin: '12345678901' }))).be.undefined()
    should(read && reasonAgainst(read, record())).equal('another person')
    for (const broken of [{}, { salt: 'a', hashes: {} }, { salt: 'a', hashes: { other: 'b' } }, 'x']) {
      should(readExpected(broken)).be.undefined()
    }
  })
})
