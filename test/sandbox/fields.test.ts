/**
 * The sandbox simulates everything that our forms offer: every field of a request has an effect, and every type of
 * event can occur.
 */
import should from 'should'
import { isTyped, type Field, type Fields } from '../../lib/settings/fields'
import { fieldsOf, filesBelow, read } from '../support/house'

/** The nodes whose forms describe a request, and the folders of the sandbox that simulate it. */
const areas = {
  'create-document': ['signature', 'signer'],
  'share-create': ['share'],
  deposit: ['deposit'],
  'deposit-terminate': ['deposit'],
  'identification-session': ['identification'],
} as const

/** Fields without a visible effect here, each with the reason. */
const invisible: Readonly<Record<string, string>> = {
  identityProviderUniqueId: 'an id that only the provider knows: nobody can type it into a page',
  rentContractPDF: 'no answer and no page shows the file again',
  street: 'an address that is only shown again as it came',
  aml: 'a check that happens elsewhere, and of which nobody hears',
  error: 'the page on which a tenant signs never fails',
}

/** Fields whose value the sandbox reads under another name. */
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

/** The code of some folders of the sandbox, without its comments. */
const codeOf = (rooms: readonly string[]) =>
  rooms
    .flatMap((room) => filesBelow(`sandbox/${room}`, '.ts'))
    .map((path) => read(path).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
    .join('\n')

/** The names by which a field and the columns of its list are read from the request. */
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
