/**
 * What a form of ours offers, the sandbox plays: no field of a request may be without any effect there, and every type
 * of event can occur.
 */
import should from 'should'
import { isTyped, type Field, type Fields } from '../../lib/settings/fields'
import { fieldsOf, filesBelow, read } from '../support/house'

/** Nodes whose form describes a request, and the rooms of the sandbox that play it. */
const areas = {
  'create-document': ['signature', 'signer'],
  'share-create': ['share'],
  deposit: ['deposit'],
  'deposit-terminate': ['deposit'],
  'identification-session': ['identification'],
} as const

/** Fields that cannot show here, each with the reason. */
const invisible: Readonly<Record<string, string>> = {
  identityProviderUniqueId: 'an id that only the provider knows: nobody can type it into a page',
  rentContractPDF: 'no answer and no page shows the file again',
  street: 'an address that is only shown again as it came',
  aml: 'a check that happens elsewhere, and of which nobody hears',
  error: 'the page on which a tenant signs never fails',
}

/** Fields that stand for several places in the request, or for one that is put together. */
const composed: Readonly<Record<string, string>> = {
  beforeUseCheckBox: 'useCheckBox',
  beforeTitle: 'title',
  beforeMessage: 'message',
  afterTitle: 'title',
  afterMessage: 'message',
  receipts: 'finalReceipt',
  withoutIdentification: 'authentication',
  smsText: 'text',
}

/** The code of some rooms, without its comments. */
const codeOf = (rooms: readonly string[]) =>
  rooms
    .flatMap((room) => filesBelow(`sandbox/${room}`, '.ts'))
    .map((path) => read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
    .join('\n')

/** The last names of the places in the request, of a field and of the columns of its list. */
function placesOf(name: string, field: Field): string[] {
  const columns = isTyped(field) && field.rows ? Object.entries(field.rows as Fields) : []
  const inside = columns.flatMap(([column, one]) => placesOf(column, one))
  const paths = typeof field.path === 'string' ? [field.path] : (field.path ?? [name])
  return [...paths.map((path) => composed[name] ?? path.split('.').at(-1) ?? ''), ...inside]
}

describe('sandbox: the fields of our forms', () => {
  for (const [node, rooms] of Object.entries(areas)) {
    it(`are all played: ${node}`, async () => {
      const code = codeOf(rooms)
      const offered = Object.entries<Field>(await fieldsOf(node)).filter(([, field]) => field.request)
      const names = new Set(offered.flatMap(([name, field]) => placesOf(name, field)))
      const ignored = [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(code) && !(name in invisible))
      should(ignored).deepEqual([])
    })
  }
})

describe('sandbox: the types of events', () => {
  it('can all occur, and each has its sentence in the control room', () => {
    const listed = [...read('sandbox/notification/types.ts').matchAll(/^ {2}(\w+_\w+): '/gm)].map(
      ([, type = '']) => type,
    )
    should(listed).have.length(25)
    const code = codeOf(['signature', 'signer', 'share', 'deposit'])
    should(listed.filter((type) => !code.includes(`'${type}'`))).deepEqual([])
    const sentences = read('sandbox/notification/sentences.ts')
    should(listed.filter((type) => !sentences.includes(`  ${type}: [`))).deepEqual([])
  })
})
