/**
 * The contents of the lists for people: ended items, kept messages, signers, flows, answers; and nothing that is
 * damaged.
 */
import should from 'should'
import { cancelReason, noteCancelReason } from '../../../lib/runtime/monitor/cancel-reasons'
import { subjectOf } from '../../../lib/api/errors/subjects'
import { noteAnswers, notedAnswers } from '../../../lib/runtime/monitor/answers'
import { eventTime, noteEvent } from '../../../lib/runtime/monitor/event-times'
import { endedItem, listEnded, registerEnded, type EndedItem } from '../../../lib/runtime/monitor/ended'
import {
  askNow,
  findPending,
  pendingItem,
  registerPending,
  stopWaiting,
  waitingRows,
  type PendingItem,
  type PendingSource,
} from '../../../lib/runtime/monitor/pending'
import { lastOfSigner, noteSigner } from '../../../lib/runtime/monitor/signer-activity'
import { flowLabel } from '../../../lib/runtime/node-red/flow-label'
import type { NodeConfig, Runtime } from '../../../lib/runtime/node-red/node-red'
import { withFixedTimes } from '../../../lib/runtime/files/zip-times'
import { networkOf } from '../../../lib/runtime/http/rate-limiter'
import { unreachable, untoldBy } from '../../../lib/runtime/service/untold'

const RED = {}

const node = { id: 'n', name: 'wait', flow: 'Leases' }
const listed = (summary: unknown, subject = 'c/document/d-1') => ({ id: 'w', subject, since: 1_000, summary })

describe('what has ended', () => {
  it('is read with the people and what is last known about them', () => {
    const who = [
      { name: 'Ola', done: true },
      { name: 'Kari', done: false, last: { what: 'left', at: '2031-01-02T03:04:05.000Z' } },
      { name: 'Per', last: { what: 'danced', at: '2031-01-02T03:04:05.000Z' } },
      { name: 7 },
      'nothing',
    ]
    const item = endedItem(
      listed({ outcome: 'expired', what: 'document', title: 'Lease', since: 500, who }) as never,
      node,
    )
    should(item).have.properties({ wait: 'w', kind: 'document', id: 'd-1', outcome: 'expired', title: 'Lease' })
    should(item?.who).deepEqual([
      { name: 'Ola', done: true },
      { name: 'Kari', done: false, last: { what: 'left', at: '2031-01-02T03:04:05.000Z' } },
      { name: 'Per', done: false },
    ])
    should(item?.since).equal(new Date(500).toISOString())
  })

  it('completes a damaged or older entry from the node, and leaves out an empty one', () => {
    const place = { name: 'elsewhere', flow: 'Deposits' }
    const other = endedItem(
      listed({ outcome: 'signed', node: place, replica: 'b', at: 'live' }, 'c/deposit/7') as never,
      node,
    )
    should(other).have.properties({ what: 'deposit', title: '', replica: 'b', at: 'live', who: [] })
    should(other?.node).deepEqual({ id: 'n', ...place })
    for (const [summary, subject] of [
      [{}, 'c/document/d'],
      ['text', 'c/document/d'],
      [{ outcome: 'signed' }, 'else'],
    ] as const)
      should(endedItem(listed(summary, subject) as never, node)).be.undefined()
  })

  it('is listed with the latest first, and with what could not be read', async () => {
    const at = (when: string) => ({ when }) as EndedItem
    const gone = [
      registerEnded(RED, 'one', { list: () => Promise.resolve([at('2031-01-01'), at('2031-03-01')]) }),
      registerEnded(RED, 'two', { list: () => Promise.resolve([at('2031-02-01'), at('2031-02-01')]) }),
      registerEnded(RED, 'away', { list: () => Promise.reject(new Error('away')) }),
    ]
    const { items, failures } = await listEnded(RED)
    should(items.map(({ when }) => when)).deepEqual(['2031-03-01', '2031-02-01', '2031-02-01', '2031-01-01'])
    should(failures).have.length(1)
    for (const forget of gone) forget()
  })
})

describe('what is pending', () => {
  it('is nothing when it is not about anything, or its rows cannot be read', async () => {
    should(pendingItem(RED, listed({}, 'else') as never, node)).be.undefined()
    should(pendingItem(RED, listed('damaged') as never, node)).have.properties({ id: 'd-1', title: '', waitingFor: [] })
    const forget = registerPending(RED, 'n', { list: () => Promise.reject(new Error('away')) } as never)
    await should(waitingRows(RED, ['n'], 'b', () => true)).be.rejectedWith('away')
    forget()
    should(await waitingRows(RED, ['n'], 'b', () => true)).deepEqual([])
  })
})

describe('one that waits', () => {
  const item = { wait: 'w', id: 'd-1' } as PendingItem
  const away = () => Promise.reject(new Error('away'))
  const found: PendingSource = {
    list: () => Promise.resolve([item]),
    find: (wait) => Promise.resolve(wait === item.wait ? item : undefined),
    askNow: (wait) => Promise.resolve(wait === item.wait),
    stopWaiting: (wait) => Promise.resolve(wait === item.wait),
  }

  it('is found, asked about and stopped also where another store cannot be read', async () => {
    const forget = [
      registerPending(RED, 'away', { list: away, find: away, askNow: away, stopWaiting: away }),
      registerPending(RED, 'there', found),
    ]
    try {
      should(await findPending(RED, 'w')).equal(item)
      should(await askNow(RED, 'w')).be.true()
      should(await stopWaiting(RED, 'w')).be.true()
      // The item may be in the store that can't be read.
      await should(findPending(RED, 'x')).be.rejectedWith('away')
      await should(askNow(RED, 'x')).be.rejectedWith('away')
      await should(stopWaiting(RED, 'x')).be.rejectedWith('away')
    } finally {
      for (const one of forget) one()
    }
    should(await findPending(RED, 'w')).be.undefined()
    should(await askNow(RED, 'w')).be.false()
  })
})

describe('what is remembered of documents', () => {
  it('is the latest of a signer under any name, the answers together, and whether the files are deleted', () => {
    should(lastOfSigner(RED, 'd', ['a', undefined])).be.undefined()
    noteSigner(RED, 'd', 'a', 'opened')
    noteSigner(RED, 'd', 'b', 'left')
    noteSigner(RED, 'd', 'a', 'read')
    should(lastOfSigner(RED, 'd', ['b', 'a'])).have.property('what', 'read')
    noteAnswers(RED, 'd', 'no object')
    should(notedAnswers(RED, 'd')).be.undefined()
    noteAnswers(RED, 'd', { parking: 'yes', rooms: 2 })
    noteAnswers(RED, 'd', { rooms: 3 })
    should(notedAnswers(RED, 'd')).deepEqual({ parking: 'yes', rooms: 3 })
    noteEvent(RED, 'document_deleted', 'd', '2031-05-04T17:31:00Z')
    const known = ['d', 'e'].map((id) => eventTime(RED, 'document_deleted', id))
    should(known).deepEqual([Date.parse('2031-05-04T17:31:00Z'), undefined])
    for (let at = 0; at < 20_000; at++) noteEvent(RED, 'document_deleted', `other-${at}`, '')
    should(eventTime(RED, 'document_deleted', 'd')).be.undefined()
  })
})

describe('the flow of a node', () => {
  const red = (configs: object[]) =>
    ({
      nodes: { eachNode: (visit: (config: NodeConfig) => void) => configs.forEach((one) => visit(one as NodeConfig)) },
    }) as unknown as Runtime

  it('is the tab that it is on, through subflows, and empty without one', () => {
    const configs = [
      { id: 'tab', type: 'tab', label: 'Leases' },
      { id: 'inner', type: 'subflow:s', z: 'outer' },
      { id: 'outer', type: 'subflow:t', z: 'tab' },
      { id: 'loop', type: 'subflow:u', z: 'loop' },
      { id: 'bare', type: 'tab' },
    ]
    should(flowLabel(red(configs), { z: 'inner' })).equal('Leases')
    should(
      ['tab', 'loop', 'bare', 'gone', undefined].map((z) => flowLabel(red(configs), { z } as NodeConfig)),
    ).deepEqual(['Leases', '', '', '', ''])
  })
})

describe('small readings', () => {
  it('leave alone anything but a whole zip file', () => {
    const none = Buffer.from('not a zip')
    should(withFixedTimes(none).toString()).equal('not a zip')
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50)
    end.writeUInt16LE(1, 10)
    should(withFixedTimes(Buffer.from(end))).deepEqual(end)
  })

  it('take an address for its network, and a path for what it is about', () => {
    should(
      ['10.0.0.1', '::ffff:10.0.0.1', 'host', '2001:db8::1', '1:2:3:4:5:6:7:8', 'fe80::'].map(networkOf),
    ).deepEqual(['10.0.0.1', '10.0.0.1', 'host', '2001:db8:0:0', '1:2:3:4', 'fe80:0:0:0'])
    should(subjectOf('/deposit/personal/%E0%A4')).deepEqual({ kind: 'deposit', id: '%E0%A4' })
    should(subjectOf('/nonsense')).be.undefined()
  })

  it('say who cannot be notified in the way that was asked for', () => {
    const signer = (request: string | undefined, signerInfo: object, redirectMode?: string) => ({
      signerInfo,
      redirectSettings: { redirectMode },
      notifications: { setup: { request } },
    })
    const number = { mobile: { number: '99999999' } }
    const email = { email: 'ola.nordmann@example.com' }
    should(untoldBy(signer('SendSms', email), true)).equal('untoldSms')
    should(untoldBy(signer('sendEmail', number), true)).equal('untoldEmail')
    should(untoldBy(signer('sendBoth', {}), true)).equal('untold')
    should(untoldBy(signer('sendBoth', number), true)).equal('untoldEmail')
    should(untoldBy(signer('sendBoth', email), true)).equal('untoldSms')
    should(untoldBy(signer('sendBoth', { ...email, ...number }), true)).be.undefined()
    should(untoldBy(signer(undefined, {}), true)).equal('untold')
    should(untoldBy(signer(undefined, {}), false)).be.undefined()
    should(untoldBy(signer(undefined, {}, 'iframe_with_redirect'), true)).be.undefined()
    should(untoldBy(signer('off', {}), true)).be.undefined()
    should(unreachable(signer('sendSms', { mobile: { number: 99999999 } }), '')).be.empty()
    should(unreachable(signer('sendSms', { mobile: { number: '' } }), '')).have.length(1)
  })
})

describe('the reasons for canceling', () => {
  it('are those of the latest attempt, unless that has done nothing', () => {
    const undo = noteCancelReason(RED, 'd', 'signed on paper')
    noteCancelReason(RED, 'd', 'moved out').forget()
    should(cancelReason(RED, 'd')).equal('signed on paper')
    undo.forget()
    should(cancelReason(RED, 'd')).be.undefined()
    const undoFirst = noteCancelReason(RED, 'd', 'signed on paper')
    noteCancelReason(RED, 'd', 'moved out')
    undoFirst.forget()
    should(cancelReason(RED, 'd')).equal('moved out')
    noteCancelReason(RED, 'd', '')
    should(cancelReason(RED, 'd')).be.undefined()
  })

  it('are those of the attempt that the service has confirmed, although another one was made later', () => {
    const first = noteCancelReason(RED, 'g', 'moved out')
    noteCancelReason(RED, 'g', 'sold')
    should(cancelReason(RED, 'g')).equal('sold')
    first.done()
    should(cancelReason(RED, 'g')).equal('moved out')
  })

  it('are told apart when two people type the same reason, or both attempts have done nothing', () => {
    const undo = noteCancelReason(RED, 'e', 'moved out')
    noteCancelReason(RED, 'e', 'moved out')
    undo.forget()
    should(cancelReason(RED, 'e')).equal('moved out')
    const undoBoth = [noteCancelReason(RED, 'f', 'moved out'), noteCancelReason(RED, 'f', 'sold')]
    for (const { forget } of undoBoth) forget()
    should(cancelReason(RED, 'f')).be.undefined()
  })
})
