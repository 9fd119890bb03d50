/** The signer app's page in the languages of the sandbox. */
import should from 'should'
import { startCaller, type Caller } from './caller'
import { type DocumentBody, draft, person } from './document-calls'

describe('sandbox: the page of a signer', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  after(() => caller.close())

  const open = async (language: string) => {
    const signers = [person('ola-1', { ui: { language } })]
    const { json } = await caller.call<DocumentBody>('POST', '/signature/documents', draft({ signers }))
    return (await fetch(json.signers[0]?.url ?? '', { headers: { Accept: 'text/html' } })).text()
  }

  for (const [language, lang, button, line] of [
    ['EN', 'en', 'Sign', 'Sandbox: nothing here is real'],
    ['NO', 'nb', 'Signer', 'Sandkasse: Ingenting her er ekte'],
    ['XX', 'en', 'Sign', 'Sandbox: nothing here is real'],
  ] as const) {
    it(`speaks ${lang} to a signer whose language is ${language}`, async () => {
      const html = await open(language)
      should(html).containEql(`<html lang="${lang}">`)
      should(html).containEql(`<button id="sign">${button}</button>`)
      should(html).containEql(line)
      should(html.match(/<option value="/g)).have.length(2)
    })
  }

  it('names the signer, because a document may have several', async () => {
    should(await open('EN')).containEql('<p>Signer: Ola Nordmann</p>')
    should(await open('NO')).containEql('<p>Undertegner: Ola Nordmann</p>')
  })
})
