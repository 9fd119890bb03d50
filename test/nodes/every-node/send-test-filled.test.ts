/**
 * "Send a test" from a form whose values come from a list: they come from the row of the preview, otherwise from
 * samples.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { textOfWord } from '../../../lib/runtime/files/word-file'
import { temporaryFolder } from '../../support/temporary-folder'
import { wordDocument } from '../../support/files/word-document'
import { workbook } from '../../support/files/workbook'
import { to, useSender, type Answer, type Sender } from './sent-tests'
import { sentence } from '../../support/wording'

const fromRow = (name: string) => ({ name, value: `payload[${JSON.stringify(name)}]`, valueType: 'msg' })

describe('a test of a form whose values come with a list', () => {
  let sender: Sender
  useSender((one) => (sender = one))
  const { path: folder, remove } = temporaryFolder()
  const lease = join(folder, 'lease.docx')
  const list = { path: join(folder, 'tenants.xlsx'), sheet: '' }
  const settings = {
    title: 'Lease for {Last name}',
    titleType: 'tpl',
    file: lease,
    fileType: 'path',
    description: '{Last name} on {date}',
    descriptionType: 'tpl',
    fields: '',
    fieldsType: 'form',
    fieldsRows: ['Last name', 'Rent', 'Town'].map(fromRow),
    contactEmail: '{Boss}',
    contactEmailType: 'tpl',
    signersType: 'form',
    signersRows: [
      { firstName: '{First name}', firstNameType: 'tpl', lastName: 'payload["Last name"]', lastNameType: 'msg' },
    ],
  }
  let count = 0
  async function send(more: object): Promise<{ answer: Answer; body: Body; text: string }> {
    const told = { set: 'create-document', key: `filled-${count++}`, to, settings, client: sender.client(), ...more }
    const answer = await sender.post(told)
    const body = (await sender.service.requests('createDocument')).at(-1)?.body as Body | undefined
    if (!body) throw new Error(answer.text)
    return { answer, body, text: await textOfWord(Buffer.from(body.dataToSign.base64Content, 'base64')) }
  }
  interface Body {
    readonly title: string
    readonly description: string
    readonly contactDetails: { readonly email: string }
    readonly dataToSign: { readonly base64Content: string }
    readonly signers: readonly { readonly signerInfo: Record<string, unknown> }[]
  }

  before(() => {
    writeFileSync(lease, wordDocument(['{Last name}, {Rent}, {Town}']))
    const rows = ['Nordmann', 'Ås'].map((name, at) => ['Ola', name, 9000 + at, 'kari.nordmann@example.com'])
    writeFileSync(list.path, workbook({ Tenants: [['First name', 'Last name', 'Rent', 'E-mail'], ...rows] }))
  })
  after(remove)

  it('is filled in from the row that the preview shows, and says so', async () => {
    const { answer, body, text } = await send({ list, row: 2 })
    should(text).equal('Ås, 9001, «Town»')
    should(body.title).equal('Lease for Ås (test)')
    should(body.description).match(/^Ås on \d{4}-\d\d-\d\d$/)
    should(body.signers[0]?.signerInfo).have.properties({ firstName: 'Ola', lastName: 'Ås' })
    should(body.signers[0]?.signerInfo).have.property('email', 'ola.nordmann@example.com')
    should(answer.text).containEql(
      [
        sentence('client', 'sendTest.fromRow', { row: 2, list: 'tenants.xlsx' }),
        sentence('client', 'sendTest.notInRow', { fields: '«Town»' }),
      ].join(' '),
    )
    should(answer.text).containEql(sentence('client', 'sendTest.left', { left: 'Contact e-mail' }))
  })

  it('names a field that the form leaves empty, unless it may be empty', async () => {
    const rent = { name: 'Rent', value: '', valueType: 'str' }
    const withRent = (row: object) => ({ ...settings, fieldsRows: [fromRow('Last name'), row, fromRow('Town')] })
    const strict = await send({ list, row: 2, settings: withRent(rent) })
    should(strict.text).equal('Ås, , «Town»')
    should(strict.answer.text).containEql(sentence('client', 'sendTest.notInRow', { fields: '«Town», «Rent»' }))
    const lax = await send({ list, row: 2, settings: withRent({ ...rent, mayBeEmpty: true }) })
    should(lax.text).equal('Ås, , «Town»')
    should(lax.answer.text).containEql(` ${sentence('client', 'sendTest.notInRow', { fields: '«Town»' })}`)
  })

  it('shows the names of the fields where there is no list, or no such row', async () => {
    for (const more of [{}, { list: { path: join(folder, 'nothing.xlsx') }, row: 1 }, { list, row: 9 }]) {
      const { answer, body, text } = await send(more)
      should(text).equal('«Last name», «Rent», «Town»')
      should(body.title).equal('Lease for «Last name» (test)')
      should(body.signers[0]?.signerInfo).have.property('firstName', '«First name»')
      should(answer.text).containEql(sentence('client', 'sendTest.fromSamples'))
    }
  })
})
