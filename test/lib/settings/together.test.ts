/** Form and node refuse the same values: if one setting requires another, the same rule applies in both. */
import should from 'should'
import type { Fields } from '../../../lib/settings/fields'
import { amount } from '../../../lib/settings/rules'
import { redirectNeeds } from '../../../lib/settings/together'
import { conflictOf, isNotAmong } from '../../../lib/settings/conflicts'
import { isRequired, isStarred, problemOf, type ReadStored } from '../../../lib/settings/validation'
import { fields as createFields } from '../../../nodes/create-document/create-document.fields'
import { problemsOf as documentProblems } from '../../../nodes/create-document/checks'
import { fields as shareFields } from '../../../nodes/share-create/share-create.fields'
import { fields as laterFields } from '../../../nodes/share/share.fields'
import { problemsOf as shareProblems } from '../../../nodes/share-create/checks'
import { fields as terminateFields } from '../../../nodes/deposit-terminate/deposit-terminate.fields'
import { problemsOf as splitProblems } from '../../../nodes/deposit-terminate/checks'
import { fields as sessionFields } from '../../../nodes/identification-session/identification-session.fields'
import { problemsOf as sessionProblems } from '../../../nodes/identification-session/checks'

type Values = Readonly<Record<string, unknown>>

const readFrom = (values: Values): ReadStored => {
  const read = (name: string) => {
    const type = values[`${name}Type`] as string | undefined
    return { value: values[name] ?? '', rows: values[`${name}Rows`], ...(type !== undefined && { type }) }
  }
  return read
}

/** Those of these settings that the form requires. */
const askedFor = (fields: Fields, names: readonly string[], values: Values) =>
  names.filter((name) => isRequired(fields[name] as Fields[string], fields, readFrom(values)))

const inSplit = (read: ReadStored) => ({ fields: terminateFields, read, rules: { amount } })

describe('form and node', () => {
  const ways = ['successUrl', 'cancelUrl', 'errorUrl', 'domain'] as const
  const pathOf = (name: (typeof ways)[number]) => createFields[name].path

  for (const mode of ['donot_redirect', ...Object.keys(redirectNeeds), 'a mode of tomorrow']) {
    it(`need the same for the redirect mode ${mode}`, () => {
      const inForm = askedFor(createFields, ways, { redirectMode: mode, redirectModeType: 'str' })
      const found = documentProblems({ signers: [{ redirectSettings: { redirectMode: mode } }] }, 0)
      const paths = found.map(({ path }) => path.replace('signers[0].', ''))
      should(paths.filter((path) => path.startsWith('redirectSettings'))).deepEqual(
        ways.filter((name) => inForm.includes(name)).map(pathOf),
      )
      should(inForm).deepEqual(ways.filter((name) => redirectNeeds[mode]?.includes(name)))
    })
  }

  it('ask for nothing that only the message can decide', () => {
    should(askedFor(createFields, ways, { redirectMode: 'mode', redirectModeType: 'msg' })).deepEqual([])
  })

  it('let each signer say where it goes in place of all', () => {
    const mode = { redirectMode: 'iframe_with_webmessaging', redirectModeType: 'str' }
    const rows = (...domains: string[]) => ({ ...mode, signersRows: domains.map((domain) => ({ domain })) })
    should(askedFor(createFields, ways, rows('example.com', 'example.org'))).deepEqual([])
    should(askedFor(createFields, ways, rows('example.com', ''))).deepEqual(['domain'])
    should(askedFor(createFields, ways, { ...mode, signersType: 'msg' })).deepEqual([])
  })

  const parts = ['amountTenant', 'amountLandlord'] as const
  for (const [tenant, landlord, expected, wrong] of [
    ['25000', '2000', '27000', undefined],
    ['25000', '2000.50', '27000', 'total'],
    ['25000,00', '2000,00', '27000', undefined],
    ['0', '0', '', 'nothing'],
    ['0', '0', '27000', 'nothing'],
    ['0.1', '0.2', '0.3', undefined],
    ['27000', '0', '27000', undefined],
  ] as const) {
    it(`find the same in a split of ${tenant} and ${landlord} that must be ${expected || 'anything'}`, () => {
      const values = { category: 'SPLIT', amountTenant: tenant, amountLandlord: landlord, expectedTotal: expected }
      const conflict = conflictOf(terminateFields.amountLandlord, inSplit(readFrom(values)))
      const number = (text: string) => Number(text.replace(',', '.'))
      const body = {
        category: 'SPLIT',
        username: 'kari',
        amount: { tenant: number(tenant), landlord: number(landlord) },
      }
      const wishes = { expectedTotal: expected === '' ? undefined : number(expected), sendAnyKid: false }
      should(splitProblems(body, wishes).map(({ key }) => key)).deepEqual(wrong ? [wrong] : [])
      should(conflict?.key).equal(wrong)
    })
  }

  it('need both amounts of a split, and none where all goes to the tenant', () => {
    should(askedFor(terminateFields, parts, { category: 'SPLIT', categoryType: 'str' })).deepEqual([...parts])
    should(askedFor(terminateFields, parts, { category: 'TENANT', categoryType: 'str' })).deepEqual([])
    const wishes = { expectedTotal: undefined, sendAnyKid: false }
    const found = splitProblems({ category: 'SPLIT', username: 'kari' }, wishes)
    should(found.map(({ path, key }) => [path, key])).deepEqual([
      ['amount.tenant', 'missing'],
      ['amount.landlord', 'missing'],
    ])
  })

  it('say nothing of parts that come with the message', () => {
    const values = { category: 'SPLIT', amountTenant: '0', amountLandlord: 'rest', amountLandlordType: 'msg' }
    const read = readFrom(values)
    should(conflictOf(terminateFields.amountLandlord, inSplit(read))).be.undefined()
  })

  it('want the days of the reminders when their number is given', () => {
    const read = { title: 'Lease', remindAtMost: '3', remindAtMostType: 'num' }
    should(askedFor(createFields, ['remindOn'], read)).deepEqual(['remindOn'])
    should(askedFor(createFields, ['remindOn'], { title: 'Lease' })).deepEqual([])
    const found = documentProblems({ notification: { reminder: { maxReminders: 3 } } }, 0)
    should(found.map(({ path }) => path)).containEql(createFields.remindOn.path)
  })

  for (const [type, deadline, wrong] of [
    ['str', '2020-01-31', 'past'],
    ['str', '31.01.2020', 'past'],
    ['days', '-1', 'past'],
    ['days', '14', undefined],
    ['str', '2199-01-31', undefined],
    ['msg', 'deadline', undefined],
  ] as const) {
    it(`find the same in the deadline ${deadline} (${type})`, () => {
      const inForm = problemOf(createFields.deadline, { value: deadline, type }, false, {})
      should(inForm).equal(wrong)
      if (type !== 'str' || deadline.includes('.')) return
      const found = documentProblems({ advanced: { timeToLive: { deadline } } }, Date.now())
      const { path } = createFields.deadline
      should(found.find((one) => one.path === path)?.key).equal(wrong)
    })
  }

  for (const [how, values, wanted] of [
    ['nothing', {}, true],
    ['an unticked exception', { withoutIdentification: 'false' }, true],
    ['the exception', { withoutIdentification: 'true' }, false],
    [
      'an exception that the message decides',
      { withoutIdentification: 'free', withoutIdentificationType: 'msg' },
      false,
    ],
    ['a national id', { ssn: '12345678901' }, false],
  ] as const) {
    it(`mark the identity provider as required for a recipient with ${how}: ${wanted}`, () => {
      const starred = (fields: Fields, more: Values = {}) =>
        isStarred(fields.identityProvider as Fields[string], fields, readFrom({ ...values, ...more }))
      should(starred(shareFields.recipients.rows)).equal(wanted)
      should(starred(laterFields, { operation: 'addRecipient' })).equal(wanted)
      should(starred(laterFields, { operation: 'changeRecipient' })).be.false()
    })
  }

  it('find content that is not in the share', () => {
    const uploads = shareFields.recipients.rows.uploads
    const around = readFrom({ contentRows: [{ id: 'lease' }, { id: 'keys' }], contentType: 'form' })
    const wrong = (value: string, type = 'str', read = around) => isNotAmong(uploads, { value, type }, read)
    should(['lease', 'lease, keys', ''].map((value) => wrong(value))).deepEqual([false, false, false])
    should(wrong('lease, key')).be.true()
    should(wrong('key', 'msg')).be.false()
    // The value in the message is not known in advance.
    should(wrong('key', 'str', readFrom({ contentType: 'msg', content: 'files' }))).be.false()
    should(
      wrong('key', 'str', readFrom({ contentRows: [{ id: 'id', idType: 'msg' }], contentType: 'form' })),
    ).be.false()
    const body = { content: [{ id: 'lease', name: 'a', type: 'file' }], recipients: [{ uploads: ['key'] }] }
    should(shareProblems(body, false, 0).map(({ key }) => key)).containEql('unregistered')
  })

  const inSession = ['flow', 'successUrl', 'abortUrl', 'errorUrl', 'allowedProviders'] as const
  for (const flow of ['', 'redirect', 'headless'] as const) {
    it(`need the same for the flow "${flow}" of a session`, () => {
      const values = { operation: 'create', apiVersion: 'v2', flow, flowType: 'str', externalReference: 'lease-1' }
      const asked = askedFor(sessionFields, inSession, values)
      const inForm = asked.filter((name) => name !== 'flow' || flow === '')
      const paths = inForm.map((name) => {
        const { path } = sessionFields[name as 'successUrl'] as { readonly path?: readonly string[] }
        return path?.[0] ?? name
      })
      should(sessionProblems({ flow }).map(({ path }) => path)).deepEqual(paths)
    })
  }
})
