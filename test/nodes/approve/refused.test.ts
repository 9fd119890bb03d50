/** What "approve" refuses: settings with which it cannot know who approves, and messages that it cannot keep. */
import { Readable } from 'node:stream'
import should from 'should'
import { approverRow, nins, ola, propose, startApprove } from '../../support/approve-flow'
import { removeFlow, type Flow } from '../../support/flow'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'

const payload = { tenant: 'Liv', amount: 12500 }
const { fullName: _name, ...nameless } = ola

describe('approve refuses', () => {
  let service: Service
  let site: PublicSide
  let flow: Flow
  const refusal = async (msg: object = {}) => {
    flow.send({ payload, identity: ola, ...msg })
    const { error } = await flow.caught()
    should(flow.waiting().out).equal(0)
    return error
  }
  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  const settings: [what: string, settings: object, live: { ids?: object }, message: RegExp][] = [
    ['no approvers', { approversRows: [] }, {}, /No approvers/],
    ['an approver without an id', {}, { ids: { per: nins.per } }, /The id of Kari Nordmann is missing/],
    ['an id of spaces', {}, { ids: { per: nins.per, kari: '  -' } }, /The id of Kari Nordmann is missing/],
    [
      'rows without a credential',
      { approversRows: [approverRow('per', 'Per Hansen', { slot: '' })] },
      {},
      /The id of Per Hansen is missing/,
    ],
    [
      'two approvers with one id',
      {},
      { ids: { per: nins.per, kari: `${nins.per.slice(0, 6)} ${nins.per.slice(6)}` } },
      /Per Hansen and Kari Nordmann have the same id/,
    ],
    [
      'an eID without national ids',
      { approversRows: [approverRow('per', 'Per Hansen', { provider: 'sms_otp' })] },
      {},
      /The eID of Per Hansen does not say/,
    ],
    ['eIDs of another country', { identityProviders: 'se_eid, sms_otp' }, {}, /The eID of Per Hansen does not say/],
    ['no public address', { publicUrl: '' }, {}, /Public address is missing/],
    ['a public address without encryption', { publicUrl: 'http://flows.example.com' }, {}, /must start with https/],
  ]
  for (const [what, own, live, message] of settings) {
    it(what, async () => {
      flow = await startApprove({ service, site }, own, live)
      await until(() => flow.statuses.find(({ fill }) => fill === 'red'))
      const error = await refusal()
      should(error).have.property('code', 'EID_CONFIG')
      should(error.message).match(message).and.not.containEql(nins.per)
    })
  }

  it('no approver whose id a program has stored with all others', async () => {
    const rows = ['per', 'kari'].map((id) => approverRow(id, id, { slot: '' }))
    const secrets = { approverIds: JSON.stringify({ per: nins.per, kari: nins.kari }) }
    flow = await startApprove({ service, site }, { approversRows: rows }, { secrets })
    should(Object.keys(await propose(flow))).have.length(2)
  })

  it('too few approvers without the proposer', async () => {
    flow = await startApprove({ service, site }, { required: '2' }, { ids: { per: nins.per, kari: nins.ola } })
    const error = await refusal()
    should(error).have.property('code', 'EID_CONFIG')
    should(error.message).match(/Only 1 of the approvers/)
  })

  const proposers: [what: string, msg: object, message: RegExp][] = [
    ['a message without a proposer', { identity: undefined }, /does not say who proposes/],
    ['a proposer without ids', { identity: { fullName: 'Ola Nordmann' } }, /does not say who proposes/],
    ['a proposer whose ids are empty', { identity: { provider: 'no_eid', providerId: '', nin: '' } }, /who proposes/],
    [
      'a proposer whose eID gives no national id',
      { identity: { provider: 'sms_otp', providerId: 'x' } },
      /whether an approver is the person who proposes/,
    ],
    [
      'a proposer of another country',
      { identity: { provider: 'se_eid', providerId: 'x', nin: nins.ola } },
      /whether an approver is the person who proposes/,
    ],
    ['a stream', { file: Readable.from(['x']) }, /msg\.file cannot be stored/],
    ['a function', { payload: { ...payload, later: () => 1 } }, /msg\.payload\.later cannot be stored/],
    ['a number that JSON does not know', { payload: { ...payload, rent: NaN } }, /msg\.payload\.rent cannot/],
    ['a missing field', { payload: { tenant: 'Liv' } }, /\{amount\}/],
  ]
  for (const [what, msg, message] of proposers) {
    it(what, async () => {
      flow = await startApprove({ service, site }, {}, {})
      const error = await refusal(msg)
      should(error).have.property('code', 'EID_INVALID_INPUT')
      should(error.message)
        .match(message)
        .and.match(/Nothing was sent/)
      should(error.message).not.containEql(nins.ola)
    })
  }

  it('no proposer that can be told by the eID alone: then only this eID is offered', async () => {
    flow = await startApprove({ service, site }, { identityProviders: 'no_eid, no_eid_mobile' }, {})
    const { nin: _nin, ...bare } = nameless
    const pages = await propose(flow, { identity: { ...bare, provider: 'no_eid_mobile' } })
    await fetch(`${pages.per}/start`, {
      method: 'POST',
      headers: { Origin: site.url, 'Content-Type': 'application/json' },
    })
    const [sent] = await service.requests('createSession')
    should(sent?.body).have.property('allowedProviders', ['no_eid_mobile'])
  })

  it('no proposer at all, if proposers may approve', async () => {
    flow = await startApprove({ service, site }, { mayApproveOwn: true }, {})
    should(Object.keys(await propose(flow, { identity: undefined }))).have.length(2)
  })
})
