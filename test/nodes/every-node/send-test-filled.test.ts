/** "Send a test" of a form whose values come with a list: from the row of the preview, otherwise from samples. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import node from '../../../nodes/create-document/create-document'
import { textOfWord } from '../../../lib/runtime/files/word-file'
import { startFlow, stopFlow } from '../../support/flow'
import { startPublicSide, type PublicSide } from '../../support/public-site'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { wordDocument } from '../../support/files/word-document'
import { workbook } from '../../support/files/workbook'

const fromRow = (name: string) => ({ name, value: `payload[${JSON.stringify(name)}]`, valueType: 'msg' })

describe('a test of a form whose values come with a list', () => {
  let service: Service
  let admin: PublicSide
  const { path: folder, remove } = temporaryFolder()
  const lease = join(folder, 'lease.docx')
  const list = { path: join(folder, 'tenants.xlsx'), sheet: '' }
  const settings = {
    ...{ title: 'Lease for {Last name}', titleType: 'tpl', file: lease, fileType: 'path' },
    ...{ description: '{Last name} on {date}', descriptionType: 'tpl' },
    ...{ fields: '', fieldsType: 'form', fieldsRows: ['Last name', 'Rent', 'Town'].map(fromRow) },
    ...{ contactEmail: '{Boss}', contactEmailType: 'tpl' },
    signersType: 'form',
    signersRows: [
      { firstName: '{First name}', firstNameType: 'tpl', lastName: 'payload["Last name"]', lastNameType: 'msg' },
    ],
  }
  let count = 0
  async function send(more: object): Promise<{ answer: { ok: boolean; text: string }; body: Body; text: string }> {
    const client = {
      ...{ id: 'not-deployed', settings: { environment: 'sandbox', baseUrl: service.url } },
      credentials: { clientId: '__PWRD__', clientSecret: '__PWRD__' },
    }
    const to = { email: 'ola.nordmann@example.com' }
    const response = await fetch(`${admin.url}/eid/send-test`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
      body: JSON.stringify({ set: 'create-document', key: `filled-${count++}`, to, settings, client, ...more }),
    })
    const answer = (await response.json()) as { ok: boolean; text: string }
    const body = (await service.requests('createDocument')).at(-1)?.body as Body | undefined
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

  before(async () => {
    writeFileSync(lease, wordDocument(['{Last name}, {Rent}, {Town}']))
    const rows = ['Nordmann', 'Ås'].map((name, at) => ['Ola', name, 9000 + at, 'kari.nordmann@example.com'])
    writeFileSync(list.path, workbook({ Tenants: [['First name', 'Last name', 'Rent', 'E-mail'], ...rows] }))
    service = await startService()
    admin = await startPublicSide('httpAdmin')
    await startFlow({ type: 'eid-create-document', module: node, modules: [admin.module], settings: {}, client: {} })
  })
  beforeEach(() => service.reset())
  after(async () => {
    await stopFlow()
    await service.close()
    await admin.close()
    remove()
  })

  it('is filled in from the row that the preview shows, and says so', async () => {
    const { answer, body, text } = await send({ list, row: 2 })
    should(text).equal('Ås, 9001, «Town»')
    should(body.title).equal('Lease for Ås (test)')
    should(body.description).match(/^Ås on \d{4}-\d\d-\d\d$/)
    should(body.signers[0]?.signerInfo).have.properties({ firstName: 'Ola', lastName: 'Ås' })
    should(body.signers[0]?.signerInfo).have.property('email', 'ola.nordmann@example.com')
    should(answer.text).containEql('The values are those of row 2 of tenants.xlsx. «Town» has no value there.')
    should(answer.text).containEql('Left out, because it comes with the message: Contact e-mail.')
  })

  it('shows the names of the fields where there is no list, or no such row', async () => {
    for (const more of [{}, { list: { path: join(folder, 'nothing.xlsx') }, row: 1 }, { list, row: 9 }]) {
      const { answer, body, text } = await send(more)
      should(text).equal('«Last name», «Rent», «Town»')
      should(body.title).equal('Lease for «Last name» (test)')
      should(body.signers[0]?.signerInfo).have.property('firstName', '«First name»')
      should(answer.text).containEql('There is no list row to take values from: the fields show their names.')
    }
  })
})
