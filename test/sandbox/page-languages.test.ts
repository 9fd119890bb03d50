/** The pages for people are in the requested language, otherwise in the browser's. */
import should from 'should'
import { startCaller, type Caller } from './caller'
import { type DocumentBody, draft, person } from './document-calls'

const languages = [
  ['en', 'en', 'Sandbox: nothing here is real'],
  ['NO', 'nb', 'Sandkasse: Ingenting her er ekte'],
] as const

describe('sandbox: the pages for people', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const asVisitor = async (url: string, browser: string) =>
    (await fetch(url, { headers: { Accept: 'text/html', 'Accept-Language': browser } })).text()

  const signerPage = async (language?: string) => {
    const signers = [person('ola-1', { ui: { language } })]
    const { json } = await caller.call<DocumentBody>('POST', '/signature/documents', draft({ signers }))
    return json.signers[0]?.url ?? ''
  }
  const sessionPage = async (language?: string) => {
    const { json } = await caller.call<{ url: string }>('POST', '/identification/v2/sessions', {
      flow: 'redirect',
      language: language?.toLowerCase(),
      redirectSettings: {
        successUrl: 'https://a.example',
        abortUrl: 'https://a.example',
        errorUrl: 'https://a.example',
      },
    })
    return json.url
  }
  const recipientPage = async (language?: string) => {
    const { json } = await caller.call<{ id: string }>('POST', '/share/buckets/', {
      information: { title: 'Payslips', description: 'Your payslip' },
      content: [{ id: 'payslip', name: 'Payslip', type: 'file' }],
      recipients: [
        {
          firstName: 'Ola',
          lastName: 'Nordmann',
          email: 'ola.nordmann@example.com',
          expires: new Date(caller.sandbox.clock.now() + 86_400_000).toISOString(),
          mobile: { countryCode: '47', number: '99999999' },
          uploads: [],
          authentication: [],
          notification: { setup: { request: 'SendEmail' }, language },
        },
      ],
    })
    await caller.upload(`/share/buckets/${json.id}/upload/payslip`, 'payslip')
    const { json: share } = await caller.call<{ recipients: { url: string }[] }>('GET', `/share/buckets/${json.id}`)
    return share.recipients[0]?.url ?? ''
  }
  const tenantPage = async (language?: string) => {
    const { json } = await caller.call<{ tenants: { url: string }[] }>('POST', '/deposit/personal', {
      landlord: { name: 'Kari Nordmann' },
      contract: { depositAmount: 27_000 },
      tenants: [
        { info: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' }, ui: { language } },
      ],
    })
    return json.tenants[0]?.url ?? ''
  }

  const seen = new Map<string, string>()
  for (const [name, pageIn] of Object.entries({ signerPage, sessionPage, recipientPage, tenantPage })) {
    it(`${name}: in the language asked for, whatever the browser speaks`, async () => {
      for (const [code, lang, notice] of languages) {
        const html = await asVisitor(await pageIn(code), lang === 'en' ? 'nb' : 'en')
        should(html).containEql(`<html lang="${lang}">`)
        should(html).containEql(notice)
        // The texts of all languages differ.
        const words = `${name} ${html.replace(/<style[^]*?<\/style>|<script[^]*?<\/script>|<[^>]*>/g, ' ').slice(0, 2000)}`
        should(seen.get(words)).be.undefined()
        seen.set(words, lang)
      }
    })

    it(`${name}: else in the browser's, else in English`, async () => {
      const url = await pageIn()
      for (const [browser, lang] of [
        ['nn-NO,en;q=0.5', 'nb'],
        ['fr, nb;q=0.8, en;q=0.5', 'nb'],
        ['fr', 'en'],
        ['', 'en'],
      ] as const) {
        should(await asVisitor(url, browser)).containEql(`<html lang="${lang}">`)
      }
    })
  }

  it('calls the ways to sign and to identify by their names in that language', async () => {
    should(await asVisitor(await signerPage('NO'), '')).containEql('Norsk eID')
    should(await asVisitor(await sessionPage('en'), '')).containEql('Swedish eID')
    should(await asVisitor(await recipientPage('NO'), '')).containEql('Norsk eID på mobil')
  })

  it('writes to people in the language of their page', async () => {
    const subjects = () => caller.sandbox.world.outbox.list().map(({ subject }) => subject)
    await signerPage('NO')
    await recipientPage('sv')
    await tenantPage('NO')
    should(subjects()).deepEqual([
      'Til signering: Lease',
      'Something has been shared with you',
      'Signer avtalen om depositumskontoen din',
    ])
  })

  it('speaks the language of the browser where there is nothing behind a link', async () => {
    for (const path of ['/sign/start?jwt=none', '/shared/none']) {
      should(await asVisitor(caller.sandbox.url + path, 'nb')).containEql('<html lang="nb">')
    }
  })
})
